package io.peerlens.benchmarks.accuracy;

/** What a group may go through without any member being wrong. */
enum Negative {
  GROUP_PLUS_3("whole group +30 points (+3)"),
  GROUP_TIMES_2("whole group x 2"),
  GROUP_GAP("no data from the group for 3 h"),
  MEMBER_GAP("no data from a member for 3 h"),
  SPIKE_1("one member +30 for one bucket"),
  RESET("counter reset: 0, then ten times as much"),
  MEMBERSHIP("a third of the members replaced by new ones"),
  CLOCK("one hour skipped, as when clocks change"),
  BESIDE_TWO("the members beside two that are +30");

  final String text;

  Negative(String text) {
    this.text = text;
  }
}
