package io.peerlens.talker;

import io.peerlens.api.model.FlowLevel;
import io.peerlens.api.model.OtherTalkers;
import io.peerlens.api.model.Talker;
import io.peerlens.api.model.TalkerChange;
import io.peerlens.api.model.TalkerUsual;
import io.peerlens.api.model.TopTalker;
import io.peerlens.flow.rank.TalkerDimension;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.flow.rank.TalkerRanking;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.talker.TalkerQueries.Answer;
import io.peerlens.talker.TalkerQueries.Part;
import io.peerlens.web.Doubles;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Top talkers for the API and for reports: from lists of talkers when they can tell, else by adding
 * up flows. Thread-safe.
 */
public final class TalkerAnswers {

  private static final Duration WEEK = Duration.ofDays(7);
  private static final double BITS = 8;

  /** Dimensions whose talkers own addresses, or hold machines that do. */
  private static final Set<TalkerDimension> OF_ADDRESSES =
      EnumSet.of(TalkerDimension.VM, TalkerDimension.HOST, TalkerDimension.CLUSTER);

  private static final String NO_ADDRESS =
      "No address in this traffic is known to be that of a virtual machine or a host. Peerlens"
          + " reads the addresses of a VM from its property summary|guest|ipAddress (all that it reads are listed in"
          + " peerlens.flows.address-properties). With Telegraf, set ip_addresses = [\"ipv4\"] in"
          + " [[inputs.vsphere]]; it sends those that VMware Tools report. A JSON sample can carry the"
          + " property as well. Traffic that comes in from then on is assigned.";
  private static final double SECONDS_OF_PEAK = 60;

  private final TalkerQueries lists;
  private final EndQueries ends;
  private final RankingQueries rankings;
  private final ShareQueries shares;
  private final TalkerNames names;
  private final UsualTraffic usual;

  TalkerAnswers(
      TalkerQueries lists,
      EndQueries ends,
      RankingQueries rankings,
      ShareQueries shares,
      TalkerNames names,
      UsualTraffic usual) {
    this.lists = lists;
    this.ends = ends;
    this.rankings = rankings;
    this.shares = shares;
    this.names = names;
    this.usual = usual;
  }

  /**
   * The ranking.
   *
   * @throws io.peerlens.web.ApiException when adding up takes longer than is allowed
   */
  public io.peerlens.api.model.TopTalkers top(TalkerQuestion question) {
    try {
      return answer(question);
    } catch (TooExpensiveException e) {
      throw FlowAnswers.tooExpensive(question.from(), question.to());
    }
  }

  /** When there was traffic last, to the bucket; null = never. */
  public @Nullable Instant newest() {
    return shares.newest();
  }

  private io.peerlens.api.model.TopTalkers answer(TalkerQuestion question) {
    TalkerDimension dimension = TalkerDimension.valueOf(question.by().name());
    TalkerMeasure measure = counted(question.measure());
    Source source = source(question, dimension, measure);
    Answer now = source.now();
    long[] keys = keys(now.whole(), measure, question.limit());
    TopTalkers top =
        TopTalkers.of(
            now,
            question.before()
                ? then(source, now, Duration.between(now.from(), now.to()), keys)
                : null,
            question.weekAgo() ? then(source, now, WEEK, keys) : null,
            measure,
            question.limit());
    return answer(question, dimension, measure, top, now);
  }

  /** Finds what is counted for a measure. */
  public static TalkerMeasure counted(io.peerlens.api.model.TalkerMeasure measure) {
    return measure == io.peerlens.api.model.TalkerMeasure.RATE
        ? TalkerMeasure.BYTES
        : TalkerMeasure.valueOf(measure.name());
  }

  // ---- from where -----------------------------------------------------------------------------

  /** Source of rankings. */
  private interface Source {

    /** The window that is asked for, of which the first talkers are there. */
    Answer now();

    /** Another window, of which these talkers are there. */
    Answer then(Instant from, Instant to, long[] keys);
  }

  private Source source(TalkerQuestion question, TalkerDimension dimension, TalkerMeasure measure) {
    FlowCondition condition = question.condition();
    if (condition.isOnlyOfType()) {
      TalkerRows.View view =
          new TalkerRows.View(
              dimension,
              dimension.ofEnds() ? condition.direction() : TalkerDirection.BOTH,
              condition.type());
      return new Source() {
        @Override
        public Answer now() {
          // Every row has its rates, whatever is ranked by.
          return lists.read(
              view,
              question.from(),
              question.to(),
              EnumSet.of(measure, TalkerMeasure.BYTES, TalkerMeasure.PEAK));
        }

        @Override
        public Answer then(Instant from, Instant to, long[] keys) {
          return lists.of(view, from, to, measure, keys);
        }
      };
    }
    EndQueries.Found found = ends.find(condition, null);
    return new Source() {
      @Override
      public Answer now() {
        return rankings.first(
            dimension, found, question.from(), question.to(), measure, question.limit());
      }

      @Override
      public Answer then(Instant from, Instant to, long[] keys) {
        return rankings.of(dimension, found, from, to, keys);
      }
    };
  }

  private static long[] keys(TalkerRanking ranking, TalkerMeasure measure, int limit) {
    int[] rows = ranking.top(measure, limit).rows();
    long[] keys = new long[rows.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = ranking.key(rows[i]);
    }
    Arrays.sort(keys);
    return keys;
  }

  /**
   * The same so much earlier; null when not all of that time is known, or no flow was reported
   * then.
   */
  private @Nullable Answer then(Source source, Answer now, Duration earlier, long[] keys) {
    Instant from = now.from().minus(earlier);
    Instant to = now.to().minus(earlier);
    if (!from.isBefore(to)) {
      return null;
    }
    Answer then = source.then(from, to, keys);
    boolean all = then.from().equals(from) && then.to().equals(to);
    return all && shares.shares(then).known() ? then : null;
  }

  // ---- in the words of the contract -----------------------------------------------------------

  private io.peerlens.api.model.TopTalkers answer(
      TalkerQuestion question,
      TalkerDimension dimension,
      TalkerMeasure measure,
      TopTalkers top,
      Answer now) {
    double seconds = Math.max(1, Duration.between(top.from(), top.to()).toSeconds());
    double unit =
        switch (question.measure()) {
          case RATE -> BITS / seconds;
          case PEAK -> BITS / SECONDS_OF_PEAK;
          case BYTES, PACKETS, SESSIONS, FLOWS, RESETS, DROPS -> 1;
        };
    List<Talker> talkers =
        names.of(dimension, top.rows().stream().map(TopTalkers.Row::key).toList());
    double[] most =
        question.usual()
            ? usual.most(talkers, question.condition(), question.measure(), top.from(), top.to())
            : new double[0];
    List<TopTalker> items = new ArrayList<>();
    for (TopTalkers.Row row : top.rows()) {
      TopTalker item =
          new TopTalker(
              items.size() + 1,
              talkers.get(items.size()),
              row.value() * unit,
              row.share(),
              row.meanRate(),
              row.peakMinuteRate(),
              row.mayMiss() * unit);
      item.setBefore(change(row.before(), unit));
      item.setWeekAgo(change(row.weekAgo(), unit));
      int place = items.size();
      if (place < most.length && !Double.isNaN(most[place])) {
        item.setUsual(new TalkerUsual(most[place] * unit, row.value() > most[place]));
      }
      if (question.sparkline()) {
        item.setSparkline(Doubles.of(row.line()));
      }
      items.add(item);
    }
    ShareQueries.Shares told = shares.shares(now);
    io.peerlens.api.model.TopTalkers answer =
        new io.peerlens.api.model.TopTalkers(
            question.by(),
            question.measure(),
            io.peerlens.api.model.TalkerDirection.valueOf(question.condition().direction().name()),
            top.from().toEpochMilli(),
            top.to().toEpochMilli(),
            level(seconds(now)),
            switch (question.measure()) {
              case BYTES -> "B";
              case RATE, PEAK -> "bit/s";
              case PACKETS, SESSIONS, FLOWS, RESETS, DROPS -> "";
            },
            top.total() * unit,
            top.unassigned() * unit,
            top.mayMiss() * unit,
            told.folded(),
            told.duplicate(),
            items,
            others(question, measure, top, unit));
    if (items.isEmpty() && top.total() > 0 && OF_ADDRESSES.contains(dimension)) {
      answer.setHint(NO_ADDRESS);
    }
    if (question.sparkline()) {
      answer.setSparklineTimes(top.steps().stream().map(Instant::toEpochMilli).toList());
      answer.setSparklineTotal(Doubles.of(top.totalLine()));
    }
    return answer;
  }

  @SuppressWarnings("NullAway") // the contract says null for peaks; the generated type does not
  private static OtherTalkers others(
      TalkerQuestion question, TalkerMeasure measure, TopTalkers top, double unit) {
    TopTalkers.Others others = top.others();
    if (measure == TalkerMeasure.PEAK) {
      return new OtherTalkers(others.talkers(), null, null);
    }
    OtherTalkers answer =
        new OtherTalkers(
            others.talkers(),
            others.value() * unit,
            top.total() == 0 ? 0 : (double) others.value() / top.total());
    answer.setBefore(change(others.before(), unit));
    answer.setWeekAgo(change(others.weekAgo(), unit));
    if (question.sparkline()) {
      answer.setSparkline(Doubles.of(others.line()));
    }
    return answer;
  }

  private static @Nullable TalkerChange change(TopTalkers.@Nullable Change change, double unit) {
    return change == null
        ? null
        : new TalkerChange(
            change.value() * unit, Double.isFinite(change.change()) ? change.change() : null);
  }

  private static Map<Long, Long> seconds(Answer answer) {
    Map<Long, Long> seconds = new HashMap<>();
    for (Part part : answer.parts()) {
      seconds.merge(part.seconds(), part.seconds(), Long::sum);
    }
    return seconds;
  }

  /** The level that most of the time was read from. */
  static FlowLevel level(Map<Long, Long> seconds) {
    long bucket =
        seconds.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(io.peerlens.talker.FlowLevel.FIVE_MINUTES.seconds());
    return FlowLevel.fromValue(ShareQueries.label(bucket));
  }
}
