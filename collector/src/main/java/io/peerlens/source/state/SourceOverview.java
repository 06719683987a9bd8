package io.peerlens.source.state;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.SourceCounts;
import io.peerlens.api.model.SourceEdit;
import io.peerlens.api.model.SourceKind;
import io.peerlens.api.model.SourcePart;
import io.peerlens.api.model.SourceProblem;
import io.peerlens.api.model.SourceRound;
import io.peerlens.api.model.SourceState;
import io.peerlens.api.model.SourceSummary;
import io.peerlens.definition.StoredRule;
import io.peerlens.ingest.sender.Sender;
import io.peerlens.source.Part;
import io.peerlens.source.SourceError;
import io.peerlens.source.definition.Source;
import io.peerlens.source.definition.SourcePauseStore;
import io.peerlens.source.definition.SourcePauseStore.Pause;
import io.peerlens.source.definition.SourceStore;
import io.peerlens.source.state.OwnStateQueries.Lease;
import io.peerlens.source.state.SenderQueries.Exporter;
import io.peerlens.source.state.SenderQueries.ReadUntil;
import io.peerlens.source.state.SenderQueries.Sent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Overview of all sources and how each of them does. */
final class SourceOverview {

  private static final String UNNAMED = "Lines without the tag host";
  private static final String OTHERS = "All others";

  /** Of the plugins of a collector so many are named. */
  private static final int MOST_PLUGINS = 4;

  /** What is to be looked at first. */
  private static final List<SourceState> WORST =
      List.of(SourceState.STOPPED, SourceState.LATE, SourceState.BEHIND);

  private final SourceStore store;
  private final SourcePauseStore pauses;
  private final OwnStateQueries own;
  private final SenderQueries senders;
  private final InstantSource clock;

  SourceOverview(
      SourceStore store,
      SourcePauseStore pauses,
      OwnStateQueries own,
      SenderQueries senders,
      InstantSource clock) {
    this.store = store;
    this.pauses = pauses;
    this.own = own;
    this.senders = senders;
    this.clock = clock;
  }

  /**
   * How a source does that Peerlens reads itself.
   *
   * @param pause null = it is not paused
   * @param node null = none reads it
   */
  record OwnState(
      Condition condition, @Nullable Pause pause, @Nullable String node, List<PartState> parts) {}

  /** How those do that Peerlens reads itself, by source. */
  private Map<UUID, OwnState> ownStates(
      Collection<StoredRule<SourceEdit, Source>> sources, Instant now) {
    Map<UUID, Pause> paused = pauses.all();
    Map<UUID, Lease> leases = own.leases();
    Map<UUID, List<PartState>> states = own.states();
    Map<UUID, OwnState> all = new HashMap<>();
    for (StoredRule<SourceEdit, Source> stored : sources) {
      UUID id = stored.id();
      Lease lease = leases.get(id);
      String node = lease == null ? null : lease.node();
      List<PartState> parts = states.getOrDefault(id, List.of());
      Set<String> reads =
          stored.rule().reads().stream().map(Part::label).collect(Collectors.toSet());
      Condition condition =
          StateJudge.own(
              new StateJudge.Own(
                  reads,
                  stored.updatedAt(),
                  paused.get(id),
                  node,
                  lease == null ? null : lease.takenAt(),
                  parts),
              now);
      all.put(id, new OwnState(condition, paused.get(id), node, parts));
    }
    return all;
  }

  /** How one does that Peerlens reads itself. */
  OwnState of(StoredRule<SourceEdit, Source> source) {
    return Objects.requireNonNull(ownStates(List.of(source), clock.instant()).get(source.id()));
  }

  /** All sources. */
  List<SourceSummary> all() {
    Instant now = clock.instant();
    Map<Sender, Sent> sent = senders.senders(now);
    ReadUntil until = senders.readUntil();
    List<SourceSummary> all = new ArrayList<>();
    Map<UUID, Trend> trends = own.trends(now);
    Map<UUID, String> abouts = own.abouts();
    Map<UUID, StoredRule<SourceEdit, Source>> stored = store.byId();
    ownStates(stored.values(), now)
        .forEach(
            (id, state) ->
                all.add(
                    ours(
                        Objects.requireNonNull(stored.get(id)),
                        state,
                        abouts.get(id),
                        trends.get(id),
                        sent.get(new Sender(Sender.Kind.SOURCE, id.toString())),
                        now)));
    sent.forEach(
        (sender, one) -> {
          switch (sender.kind()) {
            case LINES -> all.add(collector(SourceKind.TELEGRAF, sender, one, until, now));
            case OTLP -> all.add(collector(SourceKind.OPENTELEMETRY, sender, one, until, now));
            case JSON ->
                all.add(other(SourceKind.JSON, "JSON", null, null, one, until.samples(), now));
            case SOURCE, FLOWS -> {} // with what they belong to
          }
        });
    for (Exporter exporter : senders.exporters(sent, now)) {
      all.add(exporter(exporter, until, now));
    }
    Sent others = sent.get(new Sender(Sender.Kind.FLOWS, Sender.OTHERS));
    if (others != null) {
      all.add(other(SourceKind.FLOW_EXPORTER, OTHERS, null, null, others, until.flows(), now));
    }
    return all;
  }

  private static SourceSummary ours(
      StoredRule<SourceEdit, Source> stored,
      OwnState state,
      @Nullable String about,
      @Nullable Trend trend,
      @Nullable Sent sent,
      Instant now) {
    Source source = stored.rule();
    List<PartState> parts = state.parts.stream().filter(part -> !part.isCollector()).toList();
    Condition condition = state.condition;
    Trend known = trend == null && !parts.isEmpty() ? new Trend(now, Duration.ZERO) : trend;
    boolean rests =
        condition.state() == SourceState.STOPPED || condition.state() == SourceState.PAUSED;
    return new SourceSummary(
        SourceKind.fromValue(source.kind()),
        source.id(),
        source.name(),
        source.address().toString(),
        about,
        condition.state(),
        condition.since(),
        condition.reason(),
        problem(condition.problem()),
        state.node,
        newestGood(parts),
        sent == null ? null : sent.newestAt,
        sent == null ? null : seconds(sent.offset),
        seconds(
            parts.stream()
                .map(PartState::interval)
                .filter(one -> one != null)
                .min(Comparator.naturalOrder())
                .orElse(null)),
        parts.isEmpty()
            ? null
            : parts.stream().mapToLong(part -> part.took().toMillis()).max().orElseThrow(),
        parts.isEmpty() ? null : parts.stream().mapToLong(PartState::objects).max().orElseThrow(),
        known == null
            ? null
            : rests ? Double.valueOf(0) : (Double) known.perSecond(stored.createdAt()),
        known == null ? null : known.answer());
  }

  private static @Nullable Instant newestGood(List<PartState> parts) {
    Instant newest = null;
    for (PartState part : parts) {
      Instant good = part.goodAt();
      if (good != null && (newest == null || good.isAfter(newest))) {
        newest = good;
      }
    }
    return newest;
  }

  private static SourceSummary collector(
      SourceKind kind, Sender sender, Sent sent, ReadUntil until, Instant now) {
    String name =
        switch (sender.name()) {
          case Sender.UNNAMED -> UNNAMED;
          case Sender.OTHERS -> OTHERS;
          default -> sender.name();
        };
    List<String> plugins = List.copyOf(sent.plugins);
    String detail =
        plugins.size() <= MOST_PLUGINS
            ? String.join(", ", plugins)
            : String.join(", ", plugins.subList(0, MOST_PLUGINS)) + " and others";
    return other(kind, name, null, detail.isEmpty() ? null : detail, sent, until.samples(), now);
  }

  private static SourceSummary exporter(Exporter exporter, ReadUntil until, Instant now) {
    Sent sent = exporter.sent();
    if (sent != null) {
      return other(
          SourceKind.FLOW_EXPORTER,
          exporter.address(),
          exporter.address(),
          exporter.detail(),
          sent,
          until.flows(),
          now);
    }
    Condition condition =
        StateJudge.sender(exporter.firstAt(), exporter.lastAt(), null, null, until.flows(), now);
    return new SourceSummary(
        SourceKind.FLOW_EXPORTER,
        null,
        exporter.address(),
        exporter.address(),
        exporter.detail(),
        condition.state(),
        condition.since(),
        condition.reason(),
        null,
        null,
        exporter.lastAt(),
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static SourceSummary other(
      SourceKind kind,
      String name,
      @Nullable String address,
      @Nullable String detail,
      Sent sent,
      @Nullable Instant readUntil,
      Instant now) {
    Condition condition =
        StateJudge.sender(sent.firstAt, sent.lastAt, sent.interval, sent.offset, readUntil, now);
    boolean rests = condition.state() == SourceState.STOPPED;
    return new SourceSummary(
        kind,
        null,
        name,
        address,
        detail,
        condition.state(),
        condition.since(),
        condition.reason(),
        null,
        null,
        sent.lastAt,
        sent.newestAt,
        seconds(sent.offset),
        seconds(sent.interval),
        null,
        kind == SourceKind.FLOW_EXPORTER ? null : (Long) sent.objects,
        rests ? 0 : sent.trend.perSecond(sent.firstAt),
        sent.trend.answer());
  }

  private static @Nullable Double seconds(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis() / 1e3;
  }

  /** How many there are in each state, and the worst. */
  SourceCounts counts() {
    List<SourceSummary> all = all();
    Map<SourceState, Long> counts = new EnumMap<>(SourceState.class);
    double perSecond = 0;
    for (SourceSummary one : all) {
      counts.merge(one.getState(), 1L, Long::sum);
      if (one.getKind() != SourceKind.FLOW_EXPORTER) {
        perSecond += requireNonNullElse(one.getSamplesPerSecond(), 0d);
      }
    }
    SourceSummary worst =
        all.stream()
            .filter(one -> WORST.contains(one.getState()))
            .min(
                Comparator.comparingInt((SourceSummary one) -> WORST.indexOf(one.getState()))
                    .thenComparing(one -> one.getId() == null)
                    .thenComparing(
                        SourceSummary::getStateSince,
                        Comparator.nullsLast(Comparator.reverseOrder()))
                    .thenComparing(SourceSummary::getName))
            .orElse(null);
    return new SourceCounts(
        (long) all.size(),
        counts.getOrDefault(SourceState.STARTING, 0L),
        counts.getOrDefault(SourceState.FRESH, 0L),
        counts.getOrDefault(SourceState.LATE, 0L),
        counts.getOrDefault(SourceState.BEHIND, 0L),
        counts.getOrDefault(SourceState.STOPPED, 0L),
        counts.getOrDefault(SourceState.PAUSED, 0L),
        perSecond,
        worst);
  }

  static @Nullable SourceProblem problem(@Nullable SourceError error) {
    return error == null
        ? null
        : new SourceProblem(error.code(), error.what(), error.whatNow(), error.whatToDo());
  }

  /** The rounds of a source, as the API has them. */
  static List<SourceRound> rounds(List<PartState> parts) {
    Set<String> known =
        Arrays.stream(SourcePart.values())
            .map(SourcePart::getValue)
            .collect(Collectors.toCollection(TreeSet::new));
    return parts.stream()
        .filter(part -> known.contains(part.part()))
        .map(
            part ->
                new SourceRound(
                    SourcePart.fromValue(part.part()),
                    part.lastAt(),
                    part.took().toMillis(),
                    seconds(part.interval()),
                    part.objects(),
                    part.samples(),
                    part.failures(),
                    problem(part.error()),
                    part.failingSince()))
        .toList();
  }
}
