// Comma-separated values by RFC 4180: quoting, line ends, located errors, round trips.
#include <rapidcheck.h>
#include <QtTest>

#include "base/csv.h"

#include <limits>

using namespace decodescope;
using namespace decodescope::csv;

class CsvTest : public QObject {
  Q_OBJECT

 private slots:
  void readsQuotedCells() {
    const auto table = Table::parse("a,b,c\r\n1,\"x, \"\"y\"\"\nz\",3\r\n\r\n4,,\n5\n", "t.csv");
    QVERIFY(table.has_value());
    QCOMPARE(table->size(), std::size_t{3});
    QCOMPARE(QString::fromUtf8(table->cell(0, "b")), QString("x, \"y\"\nz"));
    QCOMPARE(*table->number(0, "c")->operator->(), 3.0);
    QVERIFY(!table->number(1, "b")->has_value());  // empty: no value
    QCOMPARE(table->cell(2, "c"), std::string_view());
    QCOMPARE(table->cell(2, "nowhere"), std::string_view());
    QCOMPARE(table->line(0), std::size_t{2});
    QCOMPARE(table->line(1), std::size_t{5});  // after a line break inside a cell and an empty line
  }

  void skipsTheByteOrderMark() {
    QCOMPARE(Table::parse("\xef\xbb\xbf"
                          "a\n1\n",
                          "t")
                 ->header()[0],
             std::string("a"));
  }

  void lastLineNeedsNoLineFeed() {
    QCOMPARE(Table::parse("a,b\n1,2", "t")->cell(0, "b"), std::string_view("2"));
    QCOMPARE(Table::parse("a,b\n1,", "t")->size(), std::size_t{1});
  }

  void locatesErrors() {
    const auto table = Table::parse("a,b\n1,two\n", "t.csv");
    const auto number = table->number(0, "b");
    QVERIFY(!number.has_value());
    QCOMPARE(number.error().file, std::string("t.csv:2:2"));
    QCOMPARE(number.error().value, std::string("two"));
    QCOMPARE(Table::parse("a,b\n1,2,3\n", "t.csv").error().file, std::string("t.csv:2:5"));
    QCOMPARE(Table::parse("a\n\"open\n", "t.csv").error().file, std::string("t.csv:2:1"));
    QVERIFY(!Table::parse("a\nx\"y\n", "t.csv").has_value());
    QVERIFY(!Table::parse("", "t.csv").has_value());
    QCOMPARE(Table::readFile("/no/such/file.csv").error().code, ErrorCode::Io);
    const std::vector<std::string_view> wanted{"a", "z"};
    QVERIFY(table->requireColumns(wanted).error().message.find("'z'") != std::string::npos);
  }

  void numbersAreWholeAndFinite() {
    QCOMPARE(*parseNumber("1.5e6"), 1.5e6);
    QCOMPARE(*parseNumber(" +7 "), 7.0);
    for (const char* text : {"", "1x", "nan", "inf", "1,5", "0x10", "--1"})
      QVERIFY2(!parseNumber(text), text);
  }

  void writtenRecordsReadBack() {
    QVERIFY(rc::check([](std::vector<std::string> cells) {
      cells.push_back("end");
      for (std::string& cell : cells) std::erase(cell, '\0');
      std::vector<std::string> header(cells.size());
      for (std::size_t i = 0; i < header.size(); ++i)
        header[i] = std::string(1, 'c').append(std::to_string(i));
      std::string text;
      appendRecord(text, header);
      appendRecord(text, cells);
      const auto table = Table::parse(text, "t");
      RC_ASSERT(table.has_value());
      RC_ASSERT(table->size() == 1U);
      RC_ASSERT(std::equal(cells.begin(), cells.end(), table->row(0).begin(), table->row(0).end()));
    }));
  }

  void numbersReadBack() {
    QVERIFY(rc::check([](double value) { RC_ASSERT(*parseNumber(formatNumber(value)) == value); }));
  }
};

QTEST_GUILESS_MAIN(CsvTest)
#include "tst_csv.moc"
