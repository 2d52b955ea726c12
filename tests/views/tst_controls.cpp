// One control at a time: slider, number field, rows.
#include "base/theme.h"
#include "controls/choice_row.h"
#include "controls/parameter_row.h"
#include "controls/parameter_slider.h"
#include "controls/quantity_spin_box.h"
#include "controls/sparkline.h"
#include "views/widget_checks.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>

using namespace decodescope;
using namespace decodescope::views;

namespace {

ParameterDescriptor tokens() {
  ParameterDescriptor d;
  d.path = "workload.test_tokens";
  d.label = "Test length";
  d.section = "Workload";
  d.unit = "tokens";
  d.scale = ParameterScale::Log2;
  d.soft_min = 1024, d.soft_max = 1048576;
  d.hard_min = 256, d.hard_max = 16777216;
  d.integral = true;
  d.help = "A length.";
  return d;
}
const ParameterDescriptor kTokens = tokens();

void wheel(QWidget* widget, int clicks) {
  const QPointF at = widget->rect().center();
  QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, 120 * clicks), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(widget, &event);
}

double valueOf(const QSignalSpy& spy, qsizetype i) {
  return std::get<double>(spy.at(i).at(0).value<ParameterValue>());
}

}  // namespace

class TestControls : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    qRegisterMetaType<ParameterValue>("decodescope::ParameterValue");
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void dragIsOneSerialAndEndsOnce() {
    ParameterSlider slider;
    slider.setScaleMap(ScaleMap(kTokens));
    slider.setParameterValue(8192);
    test::showAt(slider, 300, 30);
    QSignalSpy spy(&slider, &ParameterSlider::edited);
    const QPoint start = slider.handleCenter().toPoint();
    QTest::mousePress(&slider, Qt::LeftButton, {}, start);
    QCOMPARE(spy.count(), 0);  // taking the handle changes nothing
    // Twenty moves within one pass of the event loop, then the loop, twice.
    for (int round = 0; round < 2; ++round) {
      for (int i = 1; i <= 20; ++i) {
        const QPointF to = start + QPointF(round * 40 + 2 * i, 0);
        QMouseEvent move(QEvent::MouseMove, to, slider.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         Qt::AltModifier);
        QApplication::sendEvent(&slider, &move);
      }
      QCOMPARE(spy.count(), round);
      QCoreApplication::processEvents();
      QCOMPARE(spy.count(), round + 1);
    }
    const double held = slider.parameterValue();
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, start + QPoint(80, 0));
    QCoreApplication::processEvents();
    QCOMPARE(spy.count(), 3);
    QCOMPARE(spy.last().at(0).toDouble(), held);
    for (int i = 0; i < 3; ++i) {
      QCOMPARE(spy.at(i).at(1).toULongLong(), spy.first().at(1).toULongLong());
      QCOMPARE(spy.at(i).at(2).toBool(), i == 2);
    }
  }

  // A release in the same pass as the last move must still tell the last value, once.
  void fastReleaseLosesNothing() {
    ParameterSlider slider;
    slider.setScaleMap(ScaleMap(kTokens));
    slider.setParameterValue(8192);
    test::showAt(slider, 300, 30);
    QSignalSpy spy(&slider, &ParameterSlider::edited);
    const QPoint start = slider.handleCenter().toPoint();
    QTest::mousePress(&slider, Qt::LeftButton, {}, start);
    const QPointF to = start + QPointF(60, 0);
    QMouseEvent move(QEvent::MouseMove, to, slider.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&slider, &move);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, to.toPoint());
    QCoreApplication::processEvents();
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.first().at(0).toDouble(), slider.parameterValue());
    QVERIFY(spy.first().at(2).toBool());
  }

  void twoDragsAreTwoEdits() {
    ParameterSlider slider;
    slider.setScaleMap(ScaleMap(kTokens));
    slider.setParameterValue(8192);
    test::showAt(slider, 300, 30);
    QSignalSpy spy(&slider, &ParameterSlider::edited);
    for (const int x : {60, 200}) QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(x, 12));
    QVERIFY(spy.count() >= 2);
    QVERIFY(spy.first().at(1) != spy.last().at(1));
  }

  void clickInTheGrooveGoesThereAndSnaps() {
    ParameterSlider slider;
    const ScaleMap map(kTokens);
    slider.setScaleMap(map);
    slider.setParameterValue(2048);
    test::showAt(slider, 620, 30);
    const QRectF groove = slider.grooveRect();
    const double exact = groove.left() + groove.width() * map.fractionOf(131072);
    QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(qRound(exact) + 4, 12));
    QCOMPARE(slider.parameterValue(), 131072.0);
    QTest::mouseClick(&slider, Qt::LeftButton, Qt::AltModifier, QPoint(qRound(exact) + 14, 12));
    const double unsnapped = slider.parameterValue();
    QVERIFY(unsnapped > 131072 &&
            std::abs(map.fractionOf(unsnapped) - (exact + 14 - groove.left()) / groove.width()) < 0.003);
  }

  void wheelNeedsTheFocus() {
    QScrollArea area;
    auto* slider = new ParameterSlider;
    slider->setScaleMap(ScaleMap(kTokens));
    slider->setParameterValue(8192);
    area.setWidget(slider);
    test::showAt(area, 320, 60);
    slider->clearFocus();
    wheel(slider, 1);
    QCOMPARE(slider->parameterValue(), 8192.0);
    slider->setFocus();
    QTRY_VERIFY(slider->hasFocus());
    wheel(slider, 1);
    QCOMPARE(slider->parameterValue(), 16384.0);
  }

  void keysDoubleAndMerge() {
    ParameterSlider slider;
    slider.setScaleMap(ScaleMap(kTokens));
    slider.setParameterValue(8192);
    test::showAt(slider, 300, 30);
    QSignalSpy spy(&slider, &ParameterSlider::edited);
    QTest::keyClick(&slider, Qt::Key_Right);
    QTest::keyClick(&slider, Qt::Key_Right);
    QCOMPARE(slider.parameterValue(), 32768.0);
    QTest::keyClick(&slider, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(slider.parameterValue(), 32767.0);
    QCOMPARE(spy.count(), 3);
    QCOMPARE(spy.at(0).at(1), spy.at(2).at(1));  // within 600 ms: one undo entry
    QTest::qWait(650);
    QTest::keyClick(&slider, Qt::Key_Right);
    QVERIFY(spy.last().at(1) != spy.at(0).at(1));
  }

  void sliderSpeaksItsValue() {
    ParameterSlider slider;
    slider.setScaleMap(ScaleMap(kTokens));
    slider.setUnit(QStringLiteral("tokens"));
    slider.setParameterValue(131072);
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&slider);
    QVERIFY(face != nullptr);
    QCOMPARE(face->role(), QAccessible::Slider);
    QCOMPARE(face->text(QAccessible::Value), QStringLiteral("131,072\u00A0tokens"));
    QCOMPARE(face->valueInterface()->currentValue().toDouble(), 131072.0);
    QCOMPARE(face->valueInterface()->maximumValue().toDouble(), 1048576.0);
  }

  void settingAValueIsSilent() {
    ParameterRow row(kTokens, true, nullptr);
    QSignalSpy spy(&row, &ControlRow::edited);
    row.setValue(131072.0);
    row.setValue(4096.0);
    QCoreApplication::processEvents();
    QCOMPARE(spy.count(), 0);
    QCOMPARE(row.slider()->parameterValue(), 4096.0);
    QCOMPARE(row.spinBox()->quantity(), 4096.0);
  }

  void typingIsOneEdit() {
    ParameterRow row(kTokens, false, nullptr);
    row.setValue(8192.0);
    test::showAt(row, 290, 70);
    QSignalSpy spy(&row, &ControlRow::edited);
    row.spinBox()->setFocus();
    QTRY_VERIFY(row.spinBox()->hasFocus());
    QTest::keyClicks(row.spinBox(), QStringLiteral("131072"));
    QCOMPARE(spy.count(), 0);
    QTest::keyClick(row.spinBox(), Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(valueOf(spy, 0), 131072.0);
    QVERIFY(spy.at(0).at(2).toBool());
    QCOMPARE(row.slider()->parameterValue(), 131072.0);
    QTest::keyClick(row.spinBox(), Qt::Key_Return);
    QCOMPARE(spy.count(), 1);  // nothing new
  }

  void typedUnitsReachTheSlider() {
    ParameterRow row(kTokens, false, nullptr);
    row.setValue(8192.0);
    test::showAt(row, 290, 70);
    row.spinBox()->setFocus();
    QTRY_VERIFY(row.spinBox()->hasFocus());
    QTest::keyClicks(row.spinBox(), QStringLiteral("64Ki"));
    QTest::keyClick(row.spinBox(), Qt::Key_Return);
    QCOMPARE(row.slider()->parameterValue(), 65536.0);
  }

  void refusedEntryKeepsTheValueAndSaysWhy() {
    ParameterRow row(kTokens, false, nullptr);
    row.setValue(8192.0);
    test::showAt(row, 290, 90);
    QSignalSpy spy(&row, &ControlRow::edited);
    const auto shown_error = [&row] {
      for (const QLabel* label : row.findChildren<QLabel*>())
        if (label->property("role").toString() == QStringLiteral("error") && label->isVisible())
          return label->text();
      return QString();
    };
    row.spinBox()->setFocus();
    QTRY_VERIFY(row.spinBox()->hasFocus());
    for (const QString& bad : {QStringLiteral("17"), QStringLiteral("99M"), QStringLiteral("many")}) {
      row.spinBox()->findChild<QLineEdit*>()->selectAll();
      QTest::keyClicks(row.spinBox(), bad);
      QTest::keyClick(row.spinBox(), Qt::Key_Return);
      QCOMPARE(spy.count(), 0);
      QCOMPARE(row.spinBox()->quantity(), 8192.0);
      QVERIFY2(shown_error().contains(QStringLiteral("256 to 16,777,216")), qPrintable(shown_error()));
    }
    row.spinBox()->findChild<QLineEdit*>()->selectAll();
    QTest::keyClicks(row.spinBox(), QStringLiteral("4096"));
    QTest::keyClick(row.spinBox(), Qt::Key_Return);
    QCOMPARE(shown_error(), QString());
    QCOMPARE(spy.count(), 1);
  }

  void typingGoesBeyondTheSlider() {
    ParameterRow row(kTokens, false, nullptr);
    row.setValue(8192.0);
    test::showAt(row, 290, 90);
    row.spinBox()->setFocus();
    QTRY_VERIFY(row.spinBox()->hasFocus());
    QTest::keyClicks(row.spinBox(), QStringLiteral("4M"));
    QTest::keyClick(row.spinBox(), Qt::Key_Return);
    QCOMPARE(row.slider()->parameterValue(), 4e6);
    QCOMPARE(row.slider()->handleCenter().x(), row.slider()->grooveRect().right());
    QTest::qWait(20);  // the field asks for more room
    QCOMPARE(test::clippedTexts(&row), QStringList());
  }

  void spinStepsDouble() {
    QuantitySpinBox spin;
    spin.setScaleMap(ScaleMap(kTokens));
    spin.setIntegral(true);
    spin.setQuantity(131072);
    QSignalSpy spy(&spin, &QuantitySpinBox::edited);
    spin.stepBy(1);
    QCOMPARE(spin.quantity(), 262144.0);
    spin.stepBy(-2);
    QCOMPARE(spin.quantity(), 65536.0);
    QCOMPARE(spy.count(), 2);
    spin.setQuantity(16777216);
    spin.stepBy(1);
    QCOMPARE(spin.quantity(), 16777216.0);
  }

  void whatIsBeingTypedStays() {
    ParameterRow row(kTokens, false, nullptr);
    row.setValue(8192.0);
    test::showAt(row, 290, 70);
    row.spinBox()->setFocus();
    QTRY_VERIFY(row.spinBox()->hasFocus());
    QTest::keyClicks(row.spinBox(), QStringLiteral("12"));
    row.setValue(4096.0);  // the document answers an earlier edit meanwhile
    QCOMPARE(row.spinBox()->findChild<QLineEdit*>()->text(), QStringLiteral("12"));
    QTest::keyClick(row.spinBox(), Qt::Key_Escape);
    QCOMPARE(row.spinBox()->findChild<QLineEdit*>()->text(), QStringLiteral("4,096"));
  }

  void dragIsNotPushedBack() {
    ParameterRow row(kTokens, false, nullptr);
    row.setValue(8192.0);
    test::showAt(row, 290, 70);
    const QPoint start = row.slider()->handleCenter().toPoint();
    QTest::mousePress(row.slider(), Qt::LeftButton, {}, start);
    const QPointF to = start + QPointF(80, 0);
    QMouseEvent move(QEvent::MouseMove, to, row.slider()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(row.slider(), &move);
    const double held = row.slider()->parameterValue();
    row.setValue(8192.0);  // an older answer
    QCOMPARE(row.slider()->parameterValue(), held);
    QTest::mouseRelease(row.slider(), Qt::LeftButton, {}, to.toPoint());
  }

  void locksAndResets() {
    ParameterRow row(kTokens, false, nullptr);
    row.setValue(8192.0);
    test::showAt(row, 330, 70);
    QSignalSpy reset(&row, &ControlRow::resetRequested), lock(&row, &ControlRow::lockToggled);
    QToolButton *dot = nullptr, *padlock = nullptr;
    for (QToolButton* button : row.findChildren<QToolButton*>()) {
      if (button->accessibleName().startsWith(QStringLiteral("Reset"))) dot = button;
      if (button->accessibleName().startsWith(QStringLiteral("Lock"))) padlock = button;
    }
    QVERIFY(dot != nullptr && padlock != nullptr);
    QVERIFY(!dot->isVisible());
    row.setModified(true, QStringLiteral("4,096 tokens"));
    QVERIFY(dot->isVisible());
    dot->click();
    QCOMPARE(reset.count(), 1);
    padlock->click();
    QCOMPARE(lock.count(), 1);
    QVERIFY(row.isLocked() && padlock->isVisible());
    row.setLocked(false);
    QCOMPARE(lock.count(), 1);  // only the user is told of
    row.setBlocked(QStringLiteral("unlocks after the reveal"));
    QVERIFY(!row.slider()->isEnabled() && !row.spinBox()->isEnabled());
    QVERIFY(row.slider()->accessibleDescription().contains(QStringLiteral("unlocks after the reveal")));
  }

  void choicesFindByPartOfTheName() {
    ParameterDescriptor d;
    d.path = "model";
    d.label = "Model";
    d.scale = ParameterScale::Choice;
    ChoiceRow row(d, nullptr);
    std::vector<CatalogItem> items;
    for (const char* id : {"a", "b", "c", "d", "e", "f", "g", "h"})
      items.push_back({id, std::string("Name ") + id, ""});
    row.setChoices(items);
    row.setValue(std::string("c"));
    test::showAt(row, 300, 40);
    QSignalSpy spy(&row, &ControlRow::edited);
    QVERIFY(row.comboBox()->isEditable());
    row.comboBox()->lineEdit()->setText(QStringLiteral("name f"));
    QTest::keyClick(row.comboBox()->lineEdit(), Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(std::get<std::string>(spy.at(0).at(0).value<ParameterValue>()), std::string("f"));
    row.comboBox()->lineEdit()->setText(QStringLiteral("no such"));
    QTest::keyClick(row.comboBox()->lineEdit(), Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(row.comboBox()->currentText(), QStringLiteral("Name f"));
    row.setValue(std::string("unknown-id"));
    QCOMPARE(row.comboBox()->currentText(), QStringLiteral("unknown-id"));
    QCOMPARE(spy.count(), 1);
  }

  void sparklineSaysWhatItShows() {
    Sparkline line;
    line.setScaleMap(ScaleMap(kTokens));
    line.setPoints({{1024, 0.02, true}, {32768, 0.03, true}, {65536, 0, false}, {131072, 0, false}});
    QCOMPARE(line.summary(), QStringLiteral("out of reach above 32k"));
    line.setPoints({{1024, 0.04, true}, {32768, 0.03, true}, {131072, 0.05, true}});
    QCOMPARE(line.summary(), QStringLiteral("least at 32k"));
    line.setPoints({{1024, 0.02, true}, {32768, 0.03, true}, {131072, 0.05, true}});
    QCOMPARE(line.summary(), QString());
    line.setPoints({{1024, 0, false}, {2048, 0, false}});
    QCOMPARE(line.summary(), QStringLiteral("out of reach everywhere here"));
  }
};

QTEST_MAIN(TestControls)
#include "tst_controls.moc"
