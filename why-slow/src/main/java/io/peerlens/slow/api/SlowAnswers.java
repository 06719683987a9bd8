package io.peerlens.slow.api;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.SlowAlert;
import io.peerlens.api.model.SlowBand;
import io.peerlens.api.model.SlowBandName;
import io.peerlens.api.model.SlowBuffer;
import io.peerlens.api.model.SlowCause;
import io.peerlens.api.model.SlowFigure;
import io.peerlens.api.model.SlowLimit;
import io.peerlens.api.model.SlowLimitTrial;
import io.peerlens.api.model.SlowMachine;
import io.peerlens.api.model.SlowMachines;
import io.peerlens.api.model.SlowMissing;
import io.peerlens.api.model.SlowPeers;
import io.peerlens.api.model.SlowPhrase;
import io.peerlens.api.model.SlowSeries;
import io.peerlens.api.model.SlowSpare;
import io.peerlens.api.model.SlowState;
import io.peerlens.api.model.SlowVerdict;
import io.peerlens.api.model.SlowVictim;
import io.peerlens.api.model.SlowVictims;
import io.peerlens.api.model.WhySlow;
import io.peerlens.slow.Band;
import io.peerlens.slow.BandVerdict;
import io.peerlens.slow.BufferOutlook;
import io.peerlens.slow.Diagnosis;
import io.peerlens.slow.Finding;
import io.peerlens.slow.LimitReading;
import io.peerlens.slow.LimitTrials;
import io.peerlens.slow.Missing;
import io.peerlens.slow.Phrase;
import io.peerlens.slow.Reading;
import io.peerlens.slow.SecondVictims;
import io.peerlens.slow.Signal;
import io.peerlens.slow.Track;
import io.peerlens.slow.Usual;
import io.peerlens.slow.api.WhySlows.Explained;
import io.peerlens.web.Doubles;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An explanation in the words of the contract. */
final class SlowAnswers {

  private static final int MACHINES = 20;

  private final Explained explained;
  private final Map<Integer, ObjectRef> objects;

  /**
   * @param objects those that {@link #objects} named
   */
  SlowAnswers(Explained explained, Map<Integer, ObjectRef> objects) {
    this.explained = explained;
    this.objects = objects;
  }

  /** All objects that an answer names. */
  static Set<Integer> objects(Explained of) {
    Set<Integer> all = new TreeSet<>();
    Place place = of.place();
    if (place != null) {
      all.addAll(place.path());
    }
    of.evidence().tracks().forEach(one -> all.add(one.origin().object()));
    if (of.slowest() != null) {
      of.slowest().slow().stream().limit(MACHINES).forEach(one -> all.add(one.machine()));
    }
    if (of.victims() != null) {
      of.victims().waiting().forEach(one -> all.add(one.victim().partner().object()));
    }
    if (of.week() != null && of.week().spare() != null) {
      all.add(of.week().spare().object());
    }
    return all;
  }

  WhySlow answer(ObjectRef asked, @Nullable SlowAlert alert, Instant at, List<Change> changes) {
    Diagnosis found = explained.diagnosis();
    Place place = explained.place();
    return new WhySlow(
        asked,
        alert,
        at,
        windowFrom(),
        explained.to(),
        place == null ? null : objects.get(place.machine()),
        place == null ? null : optional(place.host()),
        place == null ? null : optional(place.cluster()),
        SlowState.valueOf(found.state().name()),
        found.findings().stream().map(one -> SlowCause.valueOf(one.cause().name())).toList(),
        found.title(),
        found.text(),
        found.phrases().stream().map(SlowAnswers::phrase).toList(),
        found.bands().stream().map(this::band).toList(),
        found.missing().stream().map(SlowAnswers::missing).toList(),
        new SlowCharts(explained).chart(),
        limit(),
        victims(),
        machines(),
        buffer(),
        changes);
  }

  private Instant windowFrom() {
    return explained.to().minus(WhySlows.STEP.multipliedBy(WhySlows.WINDOW));
  }

  private @Nullable ObjectRef optional(@Nullable Integer object) {
    return object == null ? null : objects.get(object);
  }

  private static SlowPhrase phrase(Phrase of) {
    return new SlowPhrase(of.text(), SlowPhrase.EmphasisEnum.valueOf(of.emphasis().name()));
  }

  private static SlowMissing missing(Missing of) {
    return new SlowMissing(name(of.band()), of.what(), of.collector());
  }

  private static SlowBandName name(Band band) {
    return SlowBandName.valueOf(band.name());
  }

  // ---- bands ------------------------------------------------------------------------------------

  private SlowBand band(BandVerdict of) {
    Reading figure = of.figure();
    Finding finding = of.finding();
    return new SlowBand(
        name(of.band()),
        object(of),
        SlowVerdict.valueOf(of.verdict().name()),
        finding == null ? null : SlowCause.valueOf(finding.cause().name()),
        figure == null ? null : figure(figure),
        of.others().stream().limit(MACHINES).map(this::figure).toList(),
        figure == null ? null : peers(figure),
        figure == null ? null : series(figure.track().values()),
        finding == null ? null : number(finding.share()),
        of.reason(),
        explained.diagnosis().missing().stream()
            .filter(one -> one.band() == of.band())
            .map(SlowAnswers::missing)
            .toList());
  }

  private @Nullable ObjectRef object(BandVerdict of) {
    Place place = explained.place();
    if (place == null) {
      return null;
    }
    return switch (of.band()) {
      case GUEST -> objects.get(place.machine());
      case CLUSTER -> optional(place.cluster());
      case HOST, NETWORK -> optional(place.host());
      case DISK_GROUP ->
          of.figure() == null
              ? place.stores().isEmpty() ? null : objects.get(place.stores().getFirst())
              : objects.get(of.figure().track().origin().object());
    };
  }

  private SlowFigure figure(Reading of) {
    Track track = of.track();
    Usual usual = of.usual();
    String instance = track.origin().instance();
    return new SlowFigure(
        label(track),
        track.origin().metric(),
        instance.isEmpty() ? null : instance,
        ref(track.origin().object()),
        of.now(),
        track.signal().unit(),
        usual == null ? null : usual.low(),
        usual == null ? null : usual.high(),
        usual != null && usual.learned());
  }

  private ObjectRef ref(int object) {
    ObjectRef known = objects.get(object);
    if (known == null) {
      throw new IllegalStateException("object " + object + " is gone");
    }
    return known;
  }

  static String label(Track track) {
    String name = track.origin().name();
    Signal signal = track.signal();
    String label =
        signal == Signal.READ_LATENCY || signal == Signal.WRITE_LATENCY
            ? name.isEmpty() ? signal.label() + " latency" : signal.label()
            : signal.label();
    return name.isEmpty() ? label : name + ", " + label;
  }

  private static @Nullable SlowPeers peers(Reading of) {
    return of.peers().length < 3
        ? null
        : new SlowPeers(of.track().peerKind(), Doubles.of(of.peers()), of.place());
  }

  private SlowSeries series(double[] values) {
    return new SlowSeries(
        explained.from().toEpochMilli(), (int) WhySlows.STEP.toSeconds(), Doubles.of(values));
  }

  // ---- limit ------------------------------------------------------------------------------------

  private @Nullable SlowLimit limit() {
    Place place = explained.place();
    WhySlows.Week week = explained.week();
    if (week == null || place == null) {
      return null;
    }
    LimitReading of = explained.diagnosis().limits().getFirst();
    LimitTrials trials = week.trials();
    long needed = trials.needed();
    return new SlowLimit(
        ref(place.machine()),
        of.disk().disk(),
        of.disk().instance(),
        of.disk().policy(),
        of.disk().limit(),
        true,
        number(of.asked()),
        number(of.served()),
        number(of.block()),
        number(of.weight()),
        number(of.delay()),
        number(of.latency()),
        of.since() > 0 ? at(of.since()) : null,
        needed == 0 ? null : needed,
        week.from().plus(WhySlows.STEP.multipliedBy(trials.first())),
        explained.to(),
        trials.rows().stream()
            .map(
                one ->
                    new SlowLimitTrial(
                        one.limit() == 0 ? null : one.limit(),
                        one.now(),
                        one.forP95(),
                        one.minutesCut(),
                        one.share(),
                        number(one.p95()),
                        one.estimated()))
            .toList(),
        LimitWords.trials(trials),
        spare(week.spare()));
  }

  private SlowSpare spare(@Nullable Spare of) {
    if (of == null) {
      String why = LimitWords.spare(null, "", explained.evidence().vsan());
      return new SlowSpare(null, null, null, null, null, null, why);
    }
    ObjectRef object = ref(of.object());
    return new SlowSpare(
        object,
        of.limit(),
        of.isKnown() ? number(of.left()) : null,
        number(of.carried()),
        number(of.now()),
        number(of.usual()),
        LimitWords.spare(of, object.getName(), explained.evidence().vsan()));
  }

  private Instant at(int step) {
    return explained.from().plus(WhySlows.STEP.multipliedBy(step));
  }

  private @Nullable SlowVictims victims() {
    WaitingMachines.Found found = explained.victims();
    if (found == null) {
      return null;
    }
    long minutes = WhySlows.STEP.toMinutes();
    SecondVictims.Found said = found.found();
    return new SlowVictims(
        found.waiting().stream()
            .map(
                one ->
                    new SlowVictim(
                        ref(one.victim().partner().object()),
                        one.service().port(),
                        one.service().protocol(),
                        one.victim().below() * minutes,
                        one.victim().of() * minutes,
                        one.victim().change(),
                        one.victim().chance(),
                        one.victim().days(),
                        series(one.victim().relative())))
            .toList(),
        found.limited(),
        said == null ? 0 : said.unchanged(),
        said == null ? 0 : said.unknown(),
        LimitWords.comparedWith(said),
        LimitWords.notKnown(said, found.delayedSteps()));
  }

  // ---- machines, buffer -------------------------------------------------------------------------

  private @Nullable SlowMachines machines() {
    Slowest slowest = explained.slowest();
    return slowest == null
        ? null
        : new SlowMachines(
            slowest.slow().stream()
                .limit(MACHINES)
                .map(
                    one ->
                        new SlowMachine(
                            ref(one.machine()), figure(one.reading()), one.timesUsual()))
                .toList(),
            slowest.slow().size(),
            slowest.known(),
            slowest.total());
  }

  private @Nullable SlowBuffer buffer() {
    Duration step = WhySlows.STEP;
    return explained.evidence().tracks().stream()
        .filter(one -> one.signal() == Signal.BUFFER)
        .max(Comparator.comparingDouble(SlowAnswers::fill))
        .map(
            one -> {
              BufferOutlook outlook = BufferOutlook.of(one.values(), (int) step.toSeconds());
              return new SlowBuffer(
                  one.origin().name(),
                  outlook.fill(),
                  Double.isNaN(outlook.perMinute()) ? 0 : outlook.perMinute(),
                  number(outlook.fullInMinutes()),
                  number(outlook.usualBurst()));
            })
        .filter(one -> Double.isFinite(one.getFillPercent()))
        .orElse(null);
  }

  private static double fill(Track track) {
    double[] values = track.values();
    double last = values[values.length - 1];
    return Double.isNaN(last) ? -1 : last;
  }

  static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
