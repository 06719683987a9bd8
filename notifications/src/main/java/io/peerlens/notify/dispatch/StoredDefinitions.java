package io.peerlens.notify.dispatch;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Condition;
import io.peerlens.alerttemplates.ConditionException;
import io.peerlens.alerttemplates.LookupTable;
import io.peerlens.alerttemplates.Lookups;
import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.Modified;
import io.peerlens.alerttemplates.Needs;
import io.peerlens.alerttemplates.StepResult;
import io.peerlens.alerttemplates.TemplateException;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.Silence;
import io.peerlens.notify.delivery.Sender;
import io.peerlens.notify.dispatch.ActiveConfig.ActiveRule;
import io.peerlens.notify.dispatch.ActiveConfig.Target;
import io.peerlens.notify.render.Wanted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Active definitions as the pipeline and the workers need them; read anew when the number moves
 * that moves with every change. Thread-safe.
 */
final class StoredDefinitions implements ActiveConfig.Source, Sender {

  private final LongSupplier version;
  private final Supplier<List<NotificationRule>> rules;
  private final Function<UUID, Optional<NotificationTarget>> target;
  private final Supplier<List<NotificationTarget>> targets;
  private final Function<String, Optional<AlertTemplate>> templates;
  private final Lookups lookups;
  private final Supplier<List<Silence>> silences;
  private volatile @Nullable Read read;

  private record Read(long version, ActiveConfig active) {}

  /**
   * Definitions.
   *
   * @param version moves with every change of any of them
   * @param rules those that are enabled, in order
   * @param silences all that are stored
   */
  StoredDefinitions(
      LongSupplier version,
      Supplier<List<NotificationRule>> rules,
      Function<UUID, Optional<NotificationTarget>> target,
      Supplier<List<NotificationTarget>> targets,
      Function<String, Optional<AlertTemplate>> templates,
      Lookups lookups,
      Supplier<List<Silence>> silences) {
    this.version = version;
    this.rules = rules;
    this.target = target;
    this.targets = targets;
    this.templates = templates;
    this.lookups = lookups;
    this.silences = silences;
  }

  @Override
  public ActiveConfig now() {
    long now = version.getAsLong();
    Read known = read;
    if (known != null && known.version() == now) {
      return known.active();
    }
    ActiveConfig made = make();
    read = new Read(now, made);
    return made;
  }

  private ActiveConfig make() {
    Templates read = new Templates();
    Needs needs = Needs.NONE;
    List<ActiveRule> inOrder = new ArrayList<>();
    for (NotificationRule rule : rules.get()) {
      Condition condition = null;
      When when = null;
      String text = rule.criteria().when();
      if (text != null) {
        try {
          condition = Condition.compile(text);
          when = when(condition);
        } catch (ConditionException e) {
          when = context -> "the condition cannot be read: " + e.getMessage();
        }
      }
      inOrder.add(new ActiveRule(rule, new Matcher(rule, when)));
      needs = condition == null ? needs : needs.and(condition.needs());
      needs = needs.and(read.find(rule.template()).map(AlertTemplate::needs).orElse(Needs.NONE));
    }
    List<Silence> stored = silences.get();
    for (Silence silence : stored) {
      needs = silence.when() == null ? needs : needs.and(silence.when().needs());
    }
    Map<UUID, Target> byId = new LinkedHashMap<>();
    for (NotificationTarget one : targets.get()) {
      byId.put(
          one.id(),
          new Target(
              one.id(),
              one.name(),
              one.active().limits().maxAge(),
              one.active().limits().digestAfter()));
    }
    return new ActiveConfig(
        inOrder,
        byId,
        new Wanted(needs.metrics().names(), needs.superMetrics().names()),
        read,
        holding(stored));
  }

  private static When when(Condition condition) {
    return context -> {
      Condition.Outcome outcome = condition.evaluate(context);
      if (outcome.holds()) {
        return null;
      }
      return outcome.reason() == null
          ? "the condition does not hold"
          : "the condition cannot be evaluated: " + outcome.reason();
    };
  }

  private static ActiveConfig.Silences holding(List<Silence> silences) {
    return (context, scopes, now) -> {
      for (Silence silence : silences) {
        if (silence.isActive(now) && silence.covers(context.tree(), scopes)) {
          return new MuteReason(
              MuteReason.Kind.SILENCE,
              "silenced until %s: %s".formatted(silence.to(), silence.comment()),
              silence.to());
        }
      }
      return null;
    };
  }

  /**
   * Messages made by templates; anything that goes wrong in one is its failure, nobody else's.
   * Templates and tables are read once for all that is made by the same definitions.
   */
  private final class Templates implements Renderer {

    private final Map<String, Optional<AlertTemplate>> byId = new ConcurrentHashMap<>();
    private final Map<String, Optional<LookupTable>> tables = new ConcurrentHashMap<>();
    private final Map<String, Boolean> externalIds = new ConcurrentHashMap<>();

    Optional<AlertTemplate> find(String id) {
      return byId.computeIfAbsent(id, templates);
    }

    private @Nullable LookupTable table(String name) {
      return tables
          .computeIfAbsent(name, one -> Optional.ofNullable(lookups.table(one)))
          .orElse(null);
    }

    @Override
    public Rendered render(String id, ObjectNode context) {
      Optional<AlertTemplate> found = find(id);
      if (found.isEmpty()) {
        return new Rendered.Failed("", "", "There is no template " + id);
      }
      AlertTemplate template = found.get();
      try {
        Modified modified = template.modify(context, this::table);
        if (modified.failure() != null) {
          return new Rendered.Failed(
              template.version(), template.hash(), "The template failed: " + modified.failure());
        }
        if (modified.dropped()) {
          List<StepResult> steps = modified.steps();
          return new Rendered.Dropped(
              "the template drops it: "
                  + (steps.isEmpty() ? template.id() : steps.getLast().words()));
        }
        Message message = template.render(modified.context());
        return new Rendered.Ready(template.version(), template.hash(), message.toJson());
      } catch (TemplateException e) {
        return new Rendered.Failed(
            template.version(), template.hash(), "The template failed: " + e.getMessage());
      } catch (RuntimeException | StackOverflowError e) {
        return new Rendered.Failed(
            template.version(), template.hash(), "The template failed: " + e);
      }
    }

    @Override
    public boolean needsExternalIds(String id) {
      return externalIds.computeIfAbsent(
          id,
          one ->
              find(one)
                  .map(template -> template.toJson().toString().contains("externalIds"))
                  .orElse(false));
    }
  }

  @Override
  public Sender.@Nullable Known target(UUID id) {
    return target
        .apply(id)
        .map(one -> new Sender.Known(one.active(), one.enabled(), Long.toString(one.version())))
        .orElse(null);
  }

  @Override
  public Sender.Late render(String template, JsonNode context) {
    return switch (now().renderer().render(template, (ObjectNode) context)) {
      case Rendered.Ready(String of, String hash, JsonNode message) ->
          new Sender.Late(message, of, hash, null);
      case Rendered.Dropped dropped -> new Sender.Late(null, "", "", null);
      case Rendered.Failed(String of, String hash, String words) ->
          new Sender.Late(null, of, hash, words);
    };
  }
}
