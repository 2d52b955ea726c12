// Opening, saving, recovering, exporting. Parsing and writing happen on the worker.
#include "app/main_window.h"
#include "app/message_bar.h"
#include "app/settings.h"

#include "rack/rack_page.h"

#include <QCloseEvent>
#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QMimeData>
#include <QStandardPaths>
#include <algorithm>

namespace decodescope::app {
namespace {

/// Shorter work is not worth a question.
constexpr double kLongJob_s = 2;

QString filter() {
  return MainWindow::tr("Scenarios (*.decodescope.json *.json);;All files (*)");
}

QString recoveryFile() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
         QStringLiteral("/autosave/recovered.decodescope.json");
}

QStringList localFiles(const QMimeData& data) {
  QStringList files;
  for (const QUrl& url : data.urls()) {
    if (url.isLocalFile()) files << url.toLocalFile();
  }
  return files;
}

}  // namespace

void MainWindow::openFile(const QString& file) {
  if (mayDiscard()) QMetaObject::invokeMethod(worker_, [w = worker_, file] { w->open(file); });
}

void MainWindow::openDialog() {
  const QString file =
      QFileDialog::getOpenFileName(this, tr("Open scenario"), QFileInfo(document_.file()).path(), filter());
  if (!file.isEmpty()) openFile(file);
}

bool MainWindow::saveTo(const QString& file) {
  QMetaObject::invokeMethod(
      worker_, [w = worker_, file, scenario = document_.scenario()] { w->save(file, scenario); });
  return true;
}

bool MainWindow::save() {
  return document_.file().isEmpty() || document_.isReadOnly() ? saveAs() : saveTo(document_.file());
}

bool MainWindow::saveAs() {
  QString file = QFileDialog::getSaveFileName(this, tr("Save scenario"), document_.file(), filter());
  if (file.isEmpty()) return false;
  if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".decodescope.json");
  return saveTo(file);
}

bool MainWindow::mayDiscard() {
  if (!document_.isModified()) return true;
  const auto answer = QMessageBox::question(this, tr("Unsaved changes"),
                                            tr("%1 has changes that are not saved.").arg(document_.title()),
                                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  if (answer == QMessageBox::Save) return save();
  return answer == QMessageBox::Discard;
}

void MainWindow::exportView() {
  const QString file = QFileDialog::getSaveFileName(
      this, tr("Export picture of the rack"), QStringLiteral("rack.png"), tr("Pictures (*.png *.svg *.pdf)"));
  if (file.isEmpty()) return;
  if (const QString error = rack_->exportPicture(file); !error.isEmpty()) showMessage(error, true);
}

/// Never over the user's own file: a copy beside the application's data, removed on a clean exit.
void MainWindow::writeRecovery() {
  if (!document_.isModified() || !options_.screenshot.isEmpty()) return;
  const QString file = recoveryFile();
  if (!QDir().mkpath(QFileInfo(file).path())) return;
  QMetaObject::invokeMethod(
      worker_, [w = worker_, file, scenario = document_.scenario()] { w->saveCopy(file, scenario); });
}

/// A copy that is still there was left by a session that did not end well.
void MainWindow::offerRecovery() {
  const QString file = recoveryFile();
  if (!options_.screenshot.isEmpty() || !QFileInfo::exists(file)) return;
  const QString when = QLocale().toString(QFileInfo(file).lastModified(), QLocale::ShortFormat);
  messages_->showText(tr("The last session ended without saving; its scenario of %1 was kept.").arg(when),
                      false);
  messages_->setAction(tr("Restore it"), [this, file] {
    QMetaObject::invokeMethod(worker_, [w = worker_, file] { w->openCopy(file); });
  });
}

bool MainWindow::mayStopJobs() {
  const auto is_long = [](const Job* job) { return job->progress().elapsed_s > kLongJob_s; };
  const QList<Job*>& active = bench_.jobs().active();
  const auto found = std::ranges::find_if(active, is_long);
  if (found == active.end()) return true;
  return QMessageBox::question(this, tr("Work in progress"),
                               tr("%1 is still running; what it has found is lost.").arg((*found)->title()),
                               QMessageBox::Close | QMessageBox::Cancel) == QMessageBox::Close;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!mayStopJobs() || !mayDiscard()) {
    event->ignore();
    return;
  }
  showLiveDocks(true);
  if (options_.screenshot.isEmpty())
    settings::setWindow(saveGeometry(), arranged_ == dockSizes() ? QByteArray() : saveState());
  QFile::remove(recoveryFile());
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!localFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList files = localFiles(*event->mimeData());
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  openFile(files.constFirst());
}

}  // namespace decodescope::app
