package io.peerlens.notify.preview;

import io.peerlens.alerttemplates.Condition;
import io.peerlens.alerttemplates.Needs;
import io.peerlens.api.model.NotificationChange;
import io.peerlens.api.model.NotificationCheck;
import io.peerlens.api.model.NotificationEvent;
import io.peerlens.api.model.NotificationOutcome;
import io.peerlens.api.model.NotificationSimulation;
import io.peerlens.api.model.NotificationSimulationRequest;
import io.peerlens.api.model.NotificationTrace;
import io.peerlens.notify.context.Contexts;
import io.peerlens.notify.context.Moment;
import io.peerlens.notify.definition.Conditions;
import io.peerlens.notify.match.InScope;
import io.peerlens.notify.match.Match;
import io.peerlens.notify.match.Matcher;
import io.peerlens.notify.match.When;
import io.peerlens.notify.preview.PastStepQueries.PastStep;
import io.peerlens.notify.rule.NotificationRule;
import io.peerlens.notify.rule.NotificationRuleDrafts;
import io.peerlens.scope.Scope;
import io.peerlens.scope.Scopes;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goes through the past with a rule: what it would have sent, held and left alone. Alerts are taken
 * as they were at each step, objects as they are now; repetitions and groups are left out.
 */
final class RuleSimulator {

  private static final int MOST_STEPS = 5_000;
  private static final int SHOWN = 200;
  private static final int AT_A_TIME = 500;
  private static final int AT_ONCE = 2;
  private static final Duration LONGEST = Duration.ofDays(31);

  private final NotificationRuleDrafts drafts;
  private final PastStepQueries queries;
  private final Contexts contexts;
  private final Scopes scopes;
  private final InstantSource clock;
  private final Semaphore running = new Semaphore(AT_ONCE, true);

  RuleSimulator(
      NotificationRuleDrafts drafts,
      PastStepQueries queries,
      Contexts contexts,
      Scopes scopes,
      InstantSource clock) {
    this.drafts = drafts;
    this.queries = queries;
    this.contexts = contexts;
    this.scopes = scopes;
    this.clock = clock;
  }

  NotificationSimulation simulate(NotificationSimulationRequest request) {
    if ((request.getRule() == null) == (request.getId() == null)) {
      throw ApiException.invalidField(
              request.getRule() == null ? "rule" : "id",
              request.getRule() == null ? "is missing, and so is id" : "stands beside rule")
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
    try {
      if (!running.tryAcquire(5, TimeUnit.SECONDS)) {
        throw ApiException.of(ErrorCode.UNAVAILABLE, "Other simulations are running.")
            .hint("Try again in some seconds.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiException.of(ErrorCode.UNAVAILABLE, "The server is stopping.");
    }
    try {
      return simulate(rule, from, to);
    } finally {
      running.release();
    }
  }

  private NotificationSimulation simulate(NotificationRule rule, Instant from, Instant to) {
    List<PastStep> steps = queries.steps(from, to, MOST_STEPS + 1);
    boolean truncated = steps.size() > MOST_STEPS;
    List<PastStep> inOrder = new ArrayList<>(steps.subList(0, Math.min(MOST_STEPS, steps.size())));
    inOrder.sort(Comparator.comparingLong(PastStep::id));
    String cel = rule.criteria().when();
    Condition condition = cel == null ? null : Conditions.compile("rule.when", cel);
    Run run = new Run(rule, new Matcher(rule, condition == null ? null : when(condition)));
    Needs needs = condition == null ? Needs.NONE : condition.needs();
    for (int i = 0; i < inOrder.size(); i += AT_A_TIME) {
      List<PastStep> some = inOrder.subList(i, Math.min(i + AT_A_TIME, inOrder.size()));
      List<@Nullable ObjectNode> found =
          contexts.of(
              some.stream().map(step -> Moment.of(step.alert(), step.id(), step.event())).toList(),
              SampleContexts.wanted(needs),
              clock.instant());
      InScope inScope = inScope(found);
      for (int n = 0; n < some.size(); n++) {
        ObjectNode context = found.get(n);
        if (context != null) {
          run.step(some.get(n), context, inScope);
        }
      }
    }
    return run.result(from, to, truncated);
  }

  private InScope inScope(List<@Nullable ObjectNode> found) {
    Set<UUID> objects = new HashSet<>();
    for (ObjectNode context : found) {
      if (context != null && context.path("object").isObject()) {
        objects.add(UUID.fromString(context.path("object").path("id").asString()));
      }
    }
    Map<Scope, Set<UUID>> known = new HashMap<>();
    return (scope, object) ->
        known.computeIfAbsent(scope, one -> scopes.holding(one, objects)).contains(object);
  }

  private static When when(Condition condition) {
    return context -> {
      Condition.Outcome outcome = condition.evaluate(context);
      return outcome.holds()
          ? null
          : outcome.reason() == null
              ? "the condition does not hold"
              : "the condition cannot be told: " + outcome.reason();
    };
  }

  /** One way through the past, from the oldest step to the newest. */
  private static final class Run {

    private final NotificationRule rule;
    private final Matcher matcher;

    /** Whether an alert was told; null = nothing of it was seen yet. */
    private final Map<UUID, Boolean> told = new HashMap<>();

    private final List<NotificationTrace> traces = new ArrayList<>();

    Run(NotificationRule rule, Matcher matcher) {
      this.rule = rule;
      this.matcher = matcher;
    }

    void step(PastStep step, ObjectNode context, InScope scopes) {
      Match match = matcher.match(context, scopes);
      String event = context.path("event").asString("UPDATE");
      // Of an alert that was open before, it is assumed that it was told.
      boolean wasTold = told.computeIfAbsent(step.alert(), alert -> !event.equals("NEW"));
      NotificationOutcome outcome;
      String reason;
      String quiet = rule.windows().quietAt(step.at());
      if (event.equals("CANCEL") && wasTold && match.wantsEvent()) {
        outcome = NotificationOutcome.SENT;
        reason = "it was told that the alert opened, so it is told that it is over";
      } else if (!match.matches()) {
        outcome = NotificationOutcome.NOT_MATCHED;
        reason = match.words();
      } else if (event.equals("CANCEL")) {
        outcome = NotificationOutcome.HELD;
        reason = "it was never told that the alert opened";
      } else if (quiet != null) {
        outcome = NotificationOutcome.HELD;
        reason = quiet;
      } else if (isOverTooSoon(step)) {
        outcome = NotificationOutcome.HELD;
        reason = "it was over before the delay of " + Durations.print(rule.delay()) + " had passed";
      } else {
        outcome = NotificationOutcome.SENT;
        reason = "all conditions hold";
      }
      told.put(
          step.alert(),
          switch (event) {
            case "CANCEL" -> false;
            case "NEW" -> outcome == NotificationOutcome.SENT;
            default -> wasTold || outcome == NotificationOutcome.SENT;
          });
      traces.add(trace(step, event, outcome, reason, match));
    }

    private boolean isOverTooSoon(PastStep step) {
      return step.ended() != null && step.ended().isBefore(step.at().plus(rule.delay()));
    }

    private static NotificationTrace trace(
        PastStep step, String event, NotificationOutcome outcome, String reason, Match match) {
      return new NotificationTrace(
          step.alert(),
          step.number(),
          step.name(),
          step.object(),
          step.at(),
          NotificationEvent.fromValue(event),
          NotificationChange.fromValue(step.event()),
          outcome,
          reason,
          match.checks().stream()
              .map(check -> new NotificationCheck(check.field(), check.met(), check.words()))
              .toList());
    }

    NotificationSimulation result(Instant from, Instant to, boolean truncated) {
      int sent = count(NotificationOutcome.SENT);
      int held = count(NotificationOutcome.HELD);
      int not = count(NotificationOutcome.NOT_MATCHED);
      return new NotificationSimulation(
          from,
          to,
          traces.size(),
          told.size(),
          sent,
          held,
          not,
          truncated,
          "%,d sent, %,d held, %,d not matched.".formatted(sent, held, not),
          traces.reversed().stream()
              .sorted(Comparator.comparing(NotificationTrace::getOutcome))
              .limit(SHOWN)
              .toList());
    }

    private int count(NotificationOutcome outcome) {
      return (int) traces.stream().filter(trace -> trace.getOutcome() == outcome).count();
    }
  }
}
