package io.peerlens.slow.api;

import io.peerlens.slow.DaysBefore;
import io.peerlens.slow.LimitTrials;
import io.peerlens.slow.SecondVictims;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sentences about a limit: how others were tried, what disks have to spare, who waits. */
final class LimitWords {

  private static final String TRIALS =
      "Counted in 5-minute means. The latency of another limit is an estimate: a cut step takes longer by as much"
          + " as is asked for over the limit.";
  private static final String CENSORED =
      " While today's limit delayed, more may have been asked for than was counted: figures of higher limits are the least.";

  private LimitWords() {}

  /** How other limits were tried. */
  static String trials(LimitTrials of) {
    return of.censored() ? TRIALS + CENSORED : TRIALS;
  }

  /**
   * What disks have to spare, or why that is not known.
   *
   * @param name the datastore, or the cluster of vSAN
   */
  static String spare(@Nullable Spare of, String name, boolean vsan) {
    if (of == null) {
      return "How much its disks have to spare is not known: nothing says on which datastore they are; "
          + Tracks.VCENTER
          + " sends it.";
    }
    String place = vsan ? "vSAN of " + name : name;
    String at = " at a limit of " + count(of.limit());
    if (of.isKnown()) {
      return "%s has at least %s IOPS to spare%s: in the last 7 days it did %s for a quarter of an hour at its usual latency (up to %s), and now does %s."
          .formatted(place, count(of.left()), at, count(of.carried()), millis(of), count(of.now()));
    }
    String why;
    if (Double.isNaN(of.usual())) {
      why =
          "its operations and latency of the last 7 days are needed; %s sends them."
              .formatted(vsan ? Tracks.VSAN : Tracks.VCENTER);
    } else if (Double.isNaN(of.carried())) {
      why =
          "in the last 7 days its latency was never as usual (up to %s) for a quarter of an hour."
              .formatted(millis(of));
    } else if (Double.isNaN(of.now())) {
      why = "what it does now is not.";
    } else {
      why =
          "in the last 7 days it was seen to do at most %s for a quarter of an hour at its usual latency (up to %s), and now does %s."
              .formatted(count(of.carried()), millis(of), count(of.now()));
    }
    return "How much %s has to spare%s is not known: %s".formatted(place, at, why);
  }

  private static String count(double value) {
    return String.format(Locale.ENGLISH, "%,d", Math.round(value));
  }

  private static String millis(Spare of) {
    return String.format(Locale.ENGLISH, "%.1f ms", of.usual());
  }

  /** What the delayed minutes were compared with; null = with nothing. */
  static @Nullable String comparedWith(SecondVictims.@Nullable Found of) {
    if (of == null || (of.days() == 0 && !of.minutes())) {
      return null;
    }
    if (of.days() == 0) {
      return "Compared with the minutes around the delay; of the days before too little is known.";
    }
    return "Compared with the same hours of up to %d days before%s."
        .formatted(of.days(), of.minutes() ? ", and with the minutes around the delay" : "");
  }

  /**
   * Why of some machines it is not known whether they wait; null = it is known of all.
   *
   * @param of null = no flows are known
   * @param delayed in how many steps the limit delayed
   */
  static @Nullable String notKnown(SecondVictims.@Nullable Found of, int delayed) {
    if (of == null) {
      return "No flows with other machines are known; a NetFlow or IPFIX exporter sends them.";
    }
    if (of.unknown() == 0) {
      return null;
    }
    String machines =
        of.unknown() == 1
            ? "Of one machine that talks with it this is not known: "
            : "Of %,d machines that talk with it this is not known: ".formatted(of.unknown());
    return machines
        + (delayed > SecondVictims.SHORT
            ? "a delay of more than an hour needs their throughput of the same hours of %d days before, without a delay."
                .formatted(DaysBefore.LEAST)
            : "it needs their throughput of a quarter of an hour of the delay and of enough minutes around it.");
  }
}
