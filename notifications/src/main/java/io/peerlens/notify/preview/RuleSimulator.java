package io.peerlens.notify.preview;

import io.peerlens.api.model.NotificationChange;
import io.peerlens.api.model.NotificationCheck;
import io.peerlens.api.model.NotificationEvent;
import io.peerlens.api.model.NotificationOutcome;
import io.peerlens.api.model.NotificationSimulation;
import io.peerlens.api.model.NotificationSimulationRequest;
import io.peerlens.api.model.NotificationTrace;
import io.peerlens.notify.definition.CelConditions;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationRuleDrafts;
import io.peerlens.notify.dispatch.Simulation;
import io.peerlens.notify.dispatch.Simulation.Judged;
import io.peerlens.notify.dispatch.Simulation.Sent;
import io.peerlens.notify.dispatch.Simulation.Told;
import io.peerlens.notify.preview.PastStepQueries.PastStep;
import io.peerlens.notify.render.EventType;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Simulation of a rule on the past: what it would have sent, held and left alone. The pipeline's
 * own stages decide; this counts, and tells it as a story of steps.
 */
final class RuleSimulator {

  private static final int MOST_STEPS = 5_000;
  private static final int SHOWN = 200;
  private static final Duration LONGEST = Duration.ofDays(31);

  private final NotificationRuleDrafts drafts;
  private final PastStepQueries queries;
  private final Simulation simulation;
  private final InstantSource clock;

  RuleSimulator(
      NotificationRuleDrafts drafts,
      PastStepQueries queries,
      Simulation simulation,
      InstantSource clock) {
    this.drafts = drafts;
    this.queries = queries;
    this.simulation = simulation;
    this.clock = clock;
  }

  NotificationSimulation simulate(NotificationSimulationRequest request) {
    if ((request.getRule() == null) == (request.getId() == null)) {
      throw ApiException.invalidField(
              request.getRule() == null ? "rule" : "id",
              request.getRule() == null
                  ? "is missing, and so is id"
                  : "cannot be combined with rule")
          .hint("Give rule, or the id of one that is stored.");
    }
    Instant from = Moments.field("from", request.getFrom());
    Instant to = Moments.field("to", request.getTo());
    if (!from.isBefore(to)) {
      throw ApiException.invalidField("to", "is not after from");
    }
    if (Duration.between(from, to).compareTo(LONGEST) > 0) {
      throw ApiException.invalidField("from", "is more than 31 days before to");
    }
    NotificationRule rule =
        request.getRule() == null
            ? drafts.stored(request.getId())
            : drafts.draft("rule.", request.getRule());
    return simulate(rule, from, to);
  }

  private NotificationSimulation simulate(NotificationRule rule, Instant from, Instant to) {
    List<PastStep> steps = queries.steps(from, to, MOST_STEPS + 1);
    boolean truncated = steps.size() > MOST_STEPS;
    List<PastStep> inOrder = new ArrayList<>(steps.subList(0, Math.min(MOST_STEPS, steps.size())));
    inOrder.sort(Comparator.comparing(PastStep::at).thenComparingLong(PastStep::id));
    if (rule.criteria().when() != null) {
      CelConditions.compile("rule.when", rule.criteria().when());
    }
    Instant now = clock.instant();
    Instant end = to.isBefore(now) ? to : now;
    Simulation.Result result =
        simulation.run(
            rule,
            inOrder.stream()
                .map(step -> new Simulation.Step(step.alert(), step.id(), step.event(), step.at()))
                .toList(),
            end,
            now);
    return new Story(inOrder, result, from).tell(to, truncated || result.until().isBefore(end));
  }

  /** Result of a simulation, in the API's model. */
  private static final class Story {

    private final Map<Long, PastStep> byId = new HashMap<>();
    private final Map<UUID, PastStep> ofAlert = new HashMap<>();
    private final Simulation.Result result;
    private final Instant from;
    private final Map<UUID, Sent> sent = new HashMap<>();
    private final Map<UUID, Sent> told = new LinkedHashMap<>();
    private final List<NotificationTrace> traces = new ArrayList<>();

    /** Steps that matched and were muted, by alert: a later notification covers them, too. */
    private final Map<UUID, List<NotificationTrace>> kept = new HashMap<>();

    Story(List<PastStep> steps, Simulation.Result result, Instant from) {
      steps.forEach(step -> byId.put(step.id(), step));
      steps.forEach(step -> ofAlert.put(step.alert(), step));
      this.result = result;
      this.from = from;
      result.sent().forEach(one -> sent.put(one.id(), one));
    }

    NotificationSimulation tell(Instant to, boolean truncated) {
      result.judged().forEach(this::judged);
      List<Sent> messages =
          result.sent().stream()
              .filter(one -> one.failure() == null && !one.at().isBefore(from))
              .toList();
      int held = count(NotificationOutcome.HELD);
      int not = count(NotificationOutcome.NOT_MATCHED);
      int again = (int) messages.stream().filter(one -> one.change().equals("resend")).count();
      int together = (int) messages.stream().filter(one -> !one.members().isEmpty()).count();
      List<PastStep> events = byId.values().stream().filter(s -> !s.at().isBefore(from)).toList();
      return new NotificationSimulation(
          from,
          to,
          events.size(),
          (int) events.stream().map(PastStep::alert).distinct().count(),
          messages.size(),
          held,
          not,
          again,
          together,
          truncated,
          sentence(messages.size(), held, not, again, together),
          traces.reversed().stream()
              .sorted(Comparator.comparing(NotificationTrace::getOutcome))
              .limit(SHOWN)
              .toList());
    }

    private static String sentence(int sent, int held, int not, int again, int together) {
      StringBuilder words = new StringBuilder();
      words.append("%,d sent, %,d held, %,d not matched.".formatted(sent, held, not));
      if (again > 0) {
        words.append(" %,d of those sent are repetitions.".formatted(again));
      }
      if (together > 0) {
        words.append(" %,d of those sent are about groups of alerts.".formatted(together));
      }
      return words.toString();
    }

    private void judged(Judged one) {
      List<Told> delivered = one.told().stream().filter(to -> to.delivery() != null).toList();
      if (one.history() == 0) {
        delivered.forEach(to -> later(one, to));
        return;
      }
      PastStep step = byId.get(one.history());
      if (step == null) {
        return;
      }
      boolean fine = delivered.stream().anyMatch(to -> isSent(to.delivery()));
      NotificationOutcome outcome =
          fine
              ? NotificationOutcome.SENT
              : one.matched() ? NotificationOutcome.HELD : NotificationOutcome.NOT_MATCHED;
      List<Told> why = fine ? delivered : one.told();
      String reason =
          !one.matched() || why.isEmpty()
              ? one.words()
              : String.join("; ", why.stream().map(Told::words).distinct().toList());
      NotificationTrace trace = trace(one, step, step.event(), outcome, reason);
      if (!step.at().isBefore(from)) {
        traces.add(trace);
      }
      if (step.event().equals("opened") || step.event().equals("reopened")) {
        kept.remove(step.alert()); // what was muted of an earlier life is sent no more
      }
      if (outcome == NotificationOutcome.HELD) {
        kept.computeIfAbsent(step.alert(), alert -> new ArrayList<>()).add(trace);
      } else if (step.event().equals("canceled")) {
        kept.remove(step.alert());
      }
    }

    private boolean isSent(@Nullable UUID delivery) {
      Sent one = delivery == null ? null : sent.get(delivery);
      return one != null && one.failure() == null;
    }

    /** Told after a while: what was kept back, a repetition, or a group. */
    private void later(Judged one, Told to) {
      Sent message = to.delivery() == null ? null : sent.get(to.delivery());
      if (message == null || message.failure() != null) {
        return;
      }
      List<NotificationTrace> before = kept.remove(one.alert());
      if (before != null) {
        String words = "sent at %s: %s".formatted(one.at(), to.words());
        before.forEach(
            trace -> {
              trace.setOutcome(NotificationOutcome.SENT);
              trace.setReason(trace.getReason() + "; " + words);
            });
      } else if (told.putIfAbsent(message.id(), message) == null && !one.at().isBefore(from)) {
        PastStep step = ofAlert.get(one.alert());
        if (step != null) {
          traces.add(trace(one, step, message.change(), NotificationOutcome.SENT, to.words()));
        }
      }
    }

    private static NotificationTrace trace(
        Judged one, PastStep step, String change, NotificationOutcome outcome, String reason) {
      return new NotificationTrace(
          step.alert(),
          step.number(),
          step.name(),
          step.object(),
          one.at(),
          NotificationEvent.fromValue(EventType.ofStep(change).name()),
          NotificationChange.fromValue(change),
          outcome,
          reason,
          one.checks().stream()
              .map(check -> new NotificationCheck(check.field(), check.met(), check.words()))
              .toList());
    }

    private int count(NotificationOutcome outcome) {
      return (int) traces.stream().filter(trace -> trace.getOutcome() == outcome).count();
    }
  }
}
