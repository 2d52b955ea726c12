// A QApplication that measures what each event costs the GUI thread, in CPU time: a stall is a long event.
#pragma once

#include <QApplication>
#include <QEvent>
#include <algorithm>
#include <ctime>
#include <vector>

namespace decodescope::test {

class EventCost : public QApplication {
 public:
  struct Report {
    std::size_t count = 0;
    double p99_ms = 0, longest_ms = 0;
    QString longest;
  };
  using QApplication::QApplication;

  static void begin() {
    state().costs_ms.clear();
    state().report = {};
    state().measuring = true;
  }
  static Report end() {
    State& s = state();
    s.measuring = false;
    std::sort(s.costs_ms.begin(), s.costs_ms.end());
    s.report.count = s.costs_ms.size();
    if (!s.costs_ms.empty()) s.report.p99_ms = s.costs_ms[(s.costs_ms.size() * 99) / 100];
    return s.report;
  }

  bool notify(QObject* receiver, QEvent* event) override {
    State& s = state();
    if (!s.measuring || s.depth > 0) return QApplication::notify(receiver, event);
    const QString what = QStringLiteral("%1 %2, event %3")
                             .arg(QLatin1String(receiver->metaObject()->className()), receiver->objectName())
                             .arg(int(event->type()));
    ++s.depth;
    const double begin_ms = nowMs();
    const bool handled = QApplication::notify(receiver, event);
    const double took_ms = nowMs() - begin_ms;
    --s.depth;
    s.costs_ms.push_back(took_ms);
    if (took_ms > s.report.longest_ms) s.report.longest_ms = took_ms, s.report.longest = what;
    return handled;
  }

 private:
  struct State {
    std::vector<double> costs_ms;
    Report report;
    int depth = 0;
    bool measuring = false;
  };
  static State& state() {
    static State state;
    return state;
  }
  static double nowMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
  }
};

}  // namespace decodescope::test
