package io.peerlens.supermetric;

import io.peerlens.api.model.DiffLine;
import io.peerlens.api.model.DiffLineKind;
import io.peerlens.api.model.EvaluationSummary;
import io.peerlens.api.model.FieldChange;
import io.peerlens.api.model.FormulaIssue;
import io.peerlens.api.model.FormulaPart;
import io.peerlens.api.model.ImportAction;
import io.peerlens.api.model.ImportCounts;
import io.peerlens.api.model.ImportItem;
import io.peerlens.api.model.ImportPolicy;
import io.peerlens.api.model.ImportProblem;
import io.peerlens.api.model.ImportResult;
import io.peerlens.api.model.ImportState;
import io.peerlens.api.model.IssueSeverity;
import io.peerlens.api.model.KindEvaluation;
import io.peerlens.api.model.NoDataReason;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.PolicyRule;
import io.peerlens.api.model.SuperMetricAction;
import io.peerlens.api.model.SuperMetricEdit;
import io.peerlens.api.model.SuperMetricEvaluation;
import io.peerlens.api.model.SuperMetricPolicy;
import io.peerlens.api.model.SuperMetricRef;
import io.peerlens.api.model.SuperMetricState;
import io.peerlens.api.model.SuperMetricVersion;
import io.peerlens.api.model.Validity;
import io.peerlens.definition.RuleVersion;
import io.peerlens.definition.StoredRule;
import io.peerlens.supermetric.Checks.Checked;
import io.peerlens.supermetric.SuperMetricStateQueries.KindState;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.Change;
import io.peerlens.supermetrics.file.ImportFile;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.supermetrics.file.ImportPlan.Item;
import io.peerlens.supermetrics.file.Place;
import io.peerlens.supermetrics.formula.Issue;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Explanation;
import io.peerlens.supermetrics.program.Reason;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** API models of super metrics, made from domain objects. */
final class SuperMetricAnswers {

  /** Fields that say who changed a definition, not what. */
  private static final Set<String> SIGNATURE = Set.of("modificationTime", "modifiedBy");

  private SuperMetricAnswers() {}

  static io.peerlens.api.model.SuperMetric superMetric(
      StoredRule<StoredSuperMetric, SuperMetricRule> stored,
      SuperMetricState state,
      Checked checked,
      List<KindState> states) {
    SuperMetric it = stored.edit().definition();
    return new io.peerlens.api.model.SuperMetric(
        it.id(),
        it.metricKey(),
        it.name(),
        it.formula(),
        it.description(),
        it.unitId(),
        kinds(stored.rule().kinds()),
        stored.edit().tags(),
        stored.edit().owner(),
        stored.pack(),
        stored.edit().interval(),
        policy(stored.rule().policy()),
        validity(checked.validity()),
        issues(checked.issues(), it.formula()),
        state,
        summary(assigned(stored.rule(), states)),
        stored.version(),
        stored.createdAt(),
        stored.createdBy(),
        stored.updatedAt(),
        stored.updatedBy(),
        it.modified(),
        it.modifiedBy());
  }

  /** States of kinds that it is assigned to now. */
  private static List<KindState> assigned(SuperMetricRule rule, List<KindState> states) {
    return states.stream().filter(state -> rule.kinds().contains(state.kind())).toList();
  }

  /** The state of one that is stored. */
  static SuperMetricState state(SuperMetricRule rule, List<KindState> all) {
    List<KindState> states = assigned(rule, all);
    if (!rule.formula().isValid()) {
      return SuperMetricState.INVALID;
    }
    if (!rule.policy().enabled()) {
      return SuperMetricState.DISABLED;
    }
    if (rule.kinds().isEmpty()) {
      return SuperMetricState.UNASSIGNED;
    }
    if (states.isEmpty()) {
      return SuperMetricState.WAITING;
    }
    if (states.stream().anyMatch(state -> state.error() != null)) {
      return SuperMetricState.FAILING;
    }
    return states.stream().anyMatch(state -> state.computed() > 0)
        ? SuperMetricState.COMPUTING
        : SuperMetricState.NO_DATA;
  }

  static SuperMetricEvaluation evaluation(SuperMetricRule rule, List<KindState> all) {
    List<KindState> states = assigned(rule, all);
    return new SuperMetricEvaluation(
        rule.id(),
        state(rule, all),
        Durations.print(rule.interval()),
        summary(states),
        states.stream()
            .map(
                state ->
                    new KindEvaluation(
                        state.kind().adapterKind(),
                        state.kind().objectKind(),
                        state.tick(),
                        state.computed(),
                        sum(state.noData()),
                        reasons(state.noData()),
                        state.nanos() / 1e6,
                        state.error()))
            .toList());
  }

  private static EvaluationSummary summary(List<KindState> states) {
    Map<String, Integer> noData = new TreeMap<>();
    Instant newest = null;
    int computed = 0;
    long nanos = 0;
    String error = null;
    for (KindState state : states) {
      newest = newest == null || state.tick().isAfter(newest) ? state.tick() : newest;
      computed += state.computed();
      nanos += state.nanos();
      error = error == null ? state.error() : error;
      state.noData().forEach((reason, count) -> noData.merge(reason, count, Integer::sum));
    }
    return new EvaluationSummary(
        newest, computed, sum(noData), reasons(noData), nanos / 1e6, error);
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** How a reason is called in the database and in the API. */
  static String label(Reason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static FormulaPart part(Explanation.Part part) {
    return FormulaPart.valueOf(part.name());
  }

  /** Counts by the label of a reason, most first. */
  static List<NoDataReason> reasons(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .map(entry -> new NoDataReason(entry.getKey(), text(entry.getKey()), entry.getValue()))
        .toList();
  }

  private static String text(String reason) {
    for (Reason known : Reason.values()) {
      if (label(known).equals(reason)) {
        return known.text();
      }
    }
    return reason; // of a node that runs another version
  }

  static List<ObjectKindRef> kinds(Collection<ObjectKind> kinds) {
    return kinds.stream()
        .map(kind -> new ObjectKindRef(kind.adapterKind(), kind.objectKind()))
        .toList();
  }

  static List<ObjectKind> kinds(@Nullable List<ObjectKindRef> kinds) {
    return kinds == null
        ? List.of()
        : kinds.stream()
            .map(kind -> new ObjectKind(kind.getAdapterKind(), kind.getObjectKind()))
            .filter(kind -> !kind.isEvery())
            .distinct()
            .toList();
  }

  static SuperMetricPolicy policy(Policy policy) {
    return new SuperMetricPolicy(
        policy.enabled(),
        policy.rules().stream()
            .map(
                rule ->
                    new PolicyRule(rule.enabled())
                        .adapterKind(rule.adapterKind())
                        .objectKind(rule.objectKind())
                        .tag(rule.tag())
                        .property(rule.property())
                        .name(rule.name())
                        .ancestor(rule.ancestor()))
            .toList());
  }

  static Validity validity(Checks.Validity validity) {
    return Validity.valueOf(validity.name());
  }

  static List<FormulaIssue> issues(Collection<Issue> issues, String formula) {
    return issues.stream()
        .map(
            issue ->
                new FormulaIssue(
                    issue.isError() ? IssueSeverity.ERROR : IssueSeverity.WARNING,
                    issue.code().name(),
                    Math.max(0, issue.at().start()),
                    Math.max(0, issue.at().end()),
                    issue.line(formula),
                    issue.column(formula),
                    issue.message(),
                    issue.hint(),
                    issue.render(formula)))
        .toList();
  }

  static FieldChange change(Change change) {
    return new FieldChange(
        change.field(),
        change.before(),
        change.after(),
        change.lines().stream()
            .map(line -> new DiffLine(DiffLineKind.valueOf(line.kind().name()), line.text()))
            .toList());
  }

  static SuperMetricVersion version(RuleVersion<StoredSuperMetric, SuperMetricRule> version) {
    StoredSuperMetric it = version.stored().edit();
    return new SuperMetricVersion(
        version.stored().version(),
        SuperMetricAction.fromValue(version.action().label()),
        version.at(),
        version.by(),
        new SuperMetricEdit(
                it.definition().name(),
                it.definition().formula(),
                kinds(version.stored().rule().kinds()))
            .description(it.definition().description())
            .unitId(it.definition().unitId())
            .tags(it.tags())
            .owner(it.owner())
            .interval(it.interval()),
        policy(it.policy()),
        version.changes());
  }

  /** The fields in which two versions differ. */
  static List<FieldChange> changes(
      StoredRule<StoredSuperMetric, SuperMetricRule> was,
      StoredRule<StoredSuperMetric, SuperMetricRule> is) {
    StoredSuperMetric before = was.edit();
    StoredSuperMetric after = is.edit();
    List<FieldChange> changes = new ArrayList<>();
    Change.between(before.definition(), after.definition()).stream()
        .filter(change -> !SIGNATURE.contains(change.field()))
        .forEach(change -> changes.add(change(change)));
    add(changes, "tags", String.join(", ", before.tags()), String.join(", ", after.tags()));
    add(changes, "owner", before.owner(), after.owner());
    add(changes, "pack", was.pack(), is.pack());
    add(changes, "interval", before.interval(), after.interval());
    add(changes, "policy.enabled", before.policy().enabled(), after.policy().enabled());
    add(changes, "policy.rules", words(before.policy()), words(after.policy()));
    return changes;
  }

  private static String words(Policy policy) {
    return String.join("\n", policy.rules().stream().map(SuperMetricAnswers::words).toList());
  }

  private static String words(Policy.Rule rule) {
    StringBuilder words = new StringBuilder(rule.enabled() ? "enable" : "disable");
    word(words, "adapterKind", rule.adapterKind());
    word(words, "objectKind", rule.objectKind());
    word(words, "tag", rule.tag());
    word(words, "property", rule.property());
    word(words, "name", rule.name());
    word(words, "ancestor", rule.ancestor());
    return words.toString();
  }

  private static void word(StringBuilder words, String condition, @Nullable Object value) {
    if (value != null) {
      words.append(' ').append(condition).append(' ').append(value);
    }
  }

  private static void add(
      List<FieldChange> changes, String field, @Nullable Object before, @Nullable Object now) {
    if (!Objects.equals(before, now)) {
      changes.add(new FieldChange(field, text(before), text(now), List.of()));
    }
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  /**
   * @param interval how often an item is computed, in seconds
   */
  static ImportResult imported(
      boolean dryRun,
      ImportFile file,
      List<Item> items,
      Function<SuperMetric, Checked> check,
      ToIntFunction<Item> interval) {
    List<ImportItem> answers = new ArrayList<>();
    int invalid = 0;
    int noData = 0;
    for (Item item : items) {
      SuperMetric it = item.found().definition();
      Checked checked = check.apply(it);
      invalid += checked.validity() == Checks.Validity.INVALID ? 1 : 0;
      noData += checked.validity() == Checks.Validity.NO_DATA_HERE ? 1 : 0;
      Place place = item.found().place();
      SuperMetric stored = item.stored();
      int seconds = interval.applyAsInt(item);
      List<String> remarks = new ArrayList<>(item.found().remarks());
      Cycles.remark(it.id(), checked.formula(), seconds).ifPresent(remarks::add);
      answers.add(
          new ImportItem(
              it.id(),
              it.name(),
              place.file(),
              place.line(),
              kinds(StoredSuperMetric.kinds(it)),
              Durations.print(Duration.ofSeconds(seconds)),
              ImportState.valueOf(item.state().name()),
              ImportAction.valueOf(item.action().name()),
              item.reason(),
              stored == null ? List.of() : List.of(new SuperMetricRef(stored.id(), stored.name())),
              item.changes().stream().map(SuperMetricAnswers::change).toList(),
              validity(checked.validity()),
              issues(checked.issues(), it.formula()),
              remarks));
    }
    return new ImportResult(
        dryRun,
        file.name(),
        new ImportCounts(
            items.size(),
            count(items, ImportPlan.Action.CREATE),
            count(items, ImportPlan.Action.OVERWRITE),
            count(items, ImportPlan.Action.SKIP),
            invalid,
            noData),
        answers,
        file.problems().stream()
            .map(problem -> new ImportProblem(problem.place().toString(), problem.text()))
            .toList(),
        file.problemCount(),
        file.leftAlone(),
        file.enablements().stream()
            .map(
                one ->
                    new ImportPolicy(
                        one.policy(),
                        one.adapterKind(),
                        one.objectKind(),
                        one.superMetric(),
                        one.enabled()))
            .toList());
  }

  private static int count(List<Item> items, ImportPlan.Action action) {
    return (int) items.stream().filter(item -> item.action() == action).count();
  }

  static List<SuperMetricRef> references(Collection<UUID> ids, Catalogue catalogue) {
    return ids.stream().map(id -> new SuperMetricRef(id, catalogue.name(id))).toList();
  }

  static Comparator<SuperMetricRule> byName() {
    return Comparator.comparing((SuperMetricRule rule) -> rule.name().toLowerCase(Locale.ROOT))
        .thenComparing(rule -> rule.id().toString());
  }
}
