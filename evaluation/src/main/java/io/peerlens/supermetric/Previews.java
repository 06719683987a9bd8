package io.peerlens.supermetric;

import io.peerlens.api.model.ExplanationNode;
import io.peerlens.api.model.MatchOutcome;
import io.peerlens.api.model.MatchedItem;
import io.peerlens.api.model.MatchedObjects;
import io.peerlens.api.model.NoDataReason;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PreviewPercentiles;
import io.peerlens.api.model.PreviewRequest;
import io.peerlens.api.model.PreviewResult;
import io.peerlens.api.model.PreviewSeries;
import io.peerlens.api.model.TextSpan;
import io.peerlens.definition.PreviewLimits;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.series.Percentile;
import io.peerlens.series.Step;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Issue;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Explainer;
import io.peerlens.supermetrics.program.Explanation;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Program;
import io.peerlens.supermetrics.program.Reason;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Formula preview: values for some objects over a stretch of time, and explanations of single
 * values. Nothing is stored. The engine computes whole kinds, so the cost goes by the size of the
 * installation; each preview is computed within limits. Thread-safe.
 */
final class Previews {

  private static final Duration EXPLANATION_TIME = Duration.ofSeconds(5);
  private static final int AUTO_MOMENTS = 120;
  private static final long FINEST_STEP = 20_000;
  private static final Duration LONGEST_STEP = Duration.ofDays(366);

  /** Of a formula that is not stored. */
  private static final UUID NOBODY = new UUID(0, 0);

  private final SuperMetricStore store;
  private final ObjectLookup objects;
  private final PastFormulas formulas;
  private final SuperMetricProperties properties;
  private final PreviewLimits limits;
  private final InstantSource clock;

  Previews(
      SuperMetricStore store,
      ObjectLookup objects,
      PastFormulas formulas,
      SuperMetricProperties properties,
      InstantSource clock) {
    this.store = store;
    this.objects = objects;
    this.formulas = formulas;
    this.properties = properties;
    this.limits = new PreviewLimits(clock, System::nanoTime, properties.previewTime());
    this.clock = clock;
  }

  /** Moments to be computed. */
  private record Window(Instant from, Instant to, Duration step) {
    int moments() {
      return Math.toIntExact(Math.ceilDiv(Duration.between(from, to).toMillis(), step.toMillis()));
    }
  }

  PreviewResult preview(PreviewRequest request) {
    Window window = window(request);
    Instant at = request.getAt() == null ? null : Moments.field("at", request.getAt());
    if (window == null && at == null) {
      throw ApiException.of(ErrorCode.INVALID_BODY, "There is nothing to compute.")
          .hint("Give from and to for a series, at for an explanation, or both.");
    }
    Formula formula = formula(request);
    List<Found> chosen = chosen(request.getObjects());
    List<ObjectKind> kinds = chosen.stream().map(Found::kind).distinct().toList();
    UUID id = request.getId() == null ? NOBODY : request.getId();
    Definition definition = new Definition(id, formula, kinds);
    try {
      Series series = new Series(definition, chosen);
      if (window != null) {
        series.compute(window);
      }
      return new PreviewResult(
          window == null ? null : window.from().toEpochMilli(),
          window == null ? null : window.to().toEpochMilli(),
          window == null ? null : Durations.print(window.step()),
          series.times,
          window == null ? List.of() : series.answer(),
          at == null ? List.of() : explain(definition, chosen, at),
          SuperMetricAnswers.issues(formula.issues(), formula.text()));
    } catch (Frames.TooManyValuesException e) {
      throw ApiException.of(ErrorCode.TOO_MANY_POINTS, Objects.requireNonNull(e.getMessage()));
    }
  }

  // -------------------------------------------------------------------------------------- request

  /**
   * An object.
   *
   * @param id within the database
   */
  private record Found(int id, ObjectKind kind, ObjectRef reference) {}

  /** Those that exist, in their order. */
  private List<Found> chosen(List<UUID> uuids) {
    Map<UUID, Found> known = new HashMap<>();
    objects
        .references(objects.ids(new HashSet<>(uuids)))
        .forEach(
            (id, it) ->
                known.put(
                    it.getId(),
                    new Found(id, new ObjectKind(it.getAdapterKind(), it.getObjectKind()), it)));
    return uuids.stream().distinct().map(known::get).filter(Objects::nonNull).toList();
  }

  private Formula formula(PreviewRequest request) {
    String text = request.getFormula();
    UUID id = request.getId();
    if (text == null) {
      if (id == null) {
        throw ApiException.invalidField("formula", "is missing")
            .hint("Give a formula, or the id of a super metric.");
      }
      SuperMetricRule rule = store.catalogue().find(id);
      if (rule == null) {
        throw SuperMetricService.unknown(id);
      }
      text = rule.formula().text();
    }
    return valid(text, id, store.options());
  }

  /**
   * Reads a formula that is to be computed.
   *
   * @param id of the super metric whose formula it is; null = of none
   * @throws ApiException if it has errors
   */
  static Formula valid(String text, @Nullable UUID id, Formula.Options usual) {
    Formula formula =
        Formula.parse(
            text, new Formula.Options(usual.limits(), usual.strict(), null, id, List.of()));
    for (Issue issue : formula.issues()) {
      if (issue.isError()) {
        throw ApiException.invalidField(
                "formula",
                "line %d, column %d: %s"
                    .formatted(issue.line(text), issue.column(text), issue.message()))
            .hint(issue.render(text));
      }
    }
    return formula;
  }

  private @Nullable Window window(PreviewRequest request) {
    if (request.getFrom() == null && request.getTo() == null) {
      return null;
    }
    if (request.getFrom() == null || request.getTo() == null) {
      throw ApiException.invalidField(
          request.getFrom() == null ? "from" : "to", "is missing beside the other end");
    }
    Instant from = Moments.field("from", request.getFrom());
    Instant to = Moments.field("to", request.getTo());
    if (!from.isBefore(to)) {
      throw ApiException.invalidField("to", "is not after from");
    }
    Duration length = Duration.between(from, to);
    Duration step =
        request.getStep() == null || request.getStep().equals("auto")
            ? Duration.ofMillis(
                Step.fitting(0, length.toMillis(), FINEST_STEP, 5_000, AUTO_MOMENTS))
            : Durations.parse(request.getStep());
    if (step.compareTo(LONGEST_STEP) > 0) {
      throw ApiException.invalidField("step", request.getStep() + " is longer than 366d");
    }
    if (step.toSeconds() % 5 != 0) {
      throw ApiException.invalidField("step", request.getStep() + " is no multiple of 5 s");
    }
    long width = step.toMillis();
    Window window =
        new Window(
            Instant.ofEpochMilli(Math.floorDiv(from.toEpochMilli(), width) * width), to, step);
    if (length.toMillis() / width >= properties.previewMoments()) {
      throw ApiException.of(
              ErrorCode.TOO_MANY_POINTS,
              "The window has %,d moments; the limit is %,d."
                  .formatted(length.toMillis() / width, properties.previewMoments()))
          .field("step", Durations.print(step) + " is too fine for this window")
          .hint("Use step auto, a wider step or a shorter window.");
    }
    return window;
  }

  // --------------------------------------------------------------------------------------- series

  /** Values of the chosen objects, moment by moment. */
  private final class Series {
    private final Definition definition;
    private final List<Found> chosen;
    private final List<Long> times = new ArrayList<>();
    private final List<@Nullable Double[]> values = new ArrayList<>();
    private final List<Map<String, Integer>> noData = new ArrayList<>();
    private int moment;
    private final PreviewLimits.Deadline deadline = limits.deadline();

    Series(Definition definition, List<Found> chosen) {
      this.definition = definition;
      this.chosen = chosen;
    }

    void compute(Window window) {
      for (int i = 0; i < window.moments(); i++) {
        times.add(window.from().toEpochMilli() + i * window.step().toMillis());
      }
      for (int i = 0; i < chosen.size(); i++) {
        values.add(new @Nullable Double[times.size()]);
        noData.add(new TreeMap<>());
      }
      Instant now = clock.instant();
      Instant end = window.to().isAfter(now) ? now : window.to();
      if (chosen.isEmpty() || !window.from().isBefore(end)) {
        return;
      }
      PastFormulas.Replay replay = formulas.replay(List.of(definition), window.from());
      formulas
          .frames()
          .each(
              replay.inputs(),
              window.from(),
              end,
              window.step(),
              stored -> {
                inTime();
                Frame frame = replay.over(stored);
                take(replay.compute(stored, Program.Enabled.ALL), frame);
              });
    }

    private void inTime() {
      deadline.check(
          () -> "%,d of %,d moments were computed".formatted(moment, times.size()),
          "Use a wider step or a shorter window.");
    }

    private void take(Results results, Frame frame) {
      Explainer why =
          new Explainer(frame, formulas.options(), new Explainer.Limits(1, 0, EXPLANATION_TIME));
      for (int i = 0; i < chosen.size(); i++) {
        Found object = chosen.get(i);
        Results.Result result = results.of(definition.id(), object.kind());
        int number = frame.objects().number(object.kind(), object.id());
        if (result == null || number < 0) {
          continue;
        }
        double value = result.values()[number];
        if (Double.isNaN(value)) {
          inTime();
          noData.get(i).merge(reason(why, result, object), 1, Integer::sum);
        } else {
          values.get(i)[moment] = value;
        }
      }
      moment++;
    }

    private String reason(Explainer why, Results.Result result, Found object) {
      // A formula that failed for the whole kind has one reason for all.
      Reason reason =
          result.error() != null && !result.noData().isEmpty()
              ? result.noData().keySet().iterator().next()
              : why.explain(definition, object.kind(), object.id()).reason();
      return SuperMetricAnswers.label(reason == null ? Reason.NO_VALUE : reason);
    }

    List<PreviewSeries> answer() {
      List<PreviewSeries> series = new ArrayList<>();
      for (int i = 0; i < chosen.size(); i++) {
        List<NoDataReason> reasons = SuperMetricAnswers.reasons(noData.get(i));
        PreviewSeries one =
            new PreviewSeries(chosen.get(i).reference(), Arrays.asList(values.get(i)), reasons);
        one.setPercentiles(percentiles(values.get(i)));
        series.add(one);
      }
      return series;
    }

    private static @Nullable PreviewPercentiles percentiles(@Nullable Double[] values) {
      double[] sorted =
          Arrays.stream(values).filter(Objects::nonNull).mapToDouble(one -> one).sorted().toArray();
      return sorted.length == 0
          ? null
          : new PreviewPercentiles(
              Percentile.of(50).in(sorted),
              Percentile.of(95).in(sorted),
              Percentile.of(99).in(sorted));
    }
  }

  // --------------------------------------------------------------------------------- explanations

  private List<io.peerlens.api.model.Explanation> explain(
      Definition definition, List<Found> chosen, Instant at) {
    if (chosen.isEmpty()) {
      return List.of();
    }
    Program program = Program.of(List.of(definition), formulas.options());
    Frame frame = formulas.frames().load(program.inputs(), at);
    Explainer explainer =
        new Explainer(
            frame,
            formulas.options(),
            new Explainer.Limits(
                Explainer.Limits.DEFAULT.nodes(),
                properties.explanationItems(),
                Explainer.Limits.DEFAULT.time()));
    Map<Found, Explanation> trees = new LinkedHashMap<>();
    Set<Integer> met = new HashSet<>();
    for (Found object : chosen) {
      if (frame.objects().number(object.kind(), object.id()) >= 0) {
        Explanation tree = explainer.explain(definition, object.kind(), object.id());
        trees.put(object, tree);
        objects(tree, met);
      }
    }
    Map<Integer, ObjectRef> references = objects.references(met);
    List<io.peerlens.api.model.Explanation> answers = new ArrayList<>();
    trees.forEach(
        (object, tree) ->
            answers.add(
                new io.peerlens.api.model.Explanation(
                    object.reference(),
                    at,
                    number(tree.value()),
                    tree.reason() == null ? null : tree.reason().text(),
                    node(tree, references))));
    return answers;
  }

  private static void objects(Explanation tree, Collection<Integer> met) {
    if (tree.match() != null) {
      tree.match().items().forEach(item -> met.add(item.object()));
    }
    tree.parts().forEach(part -> objects(part, met));
  }

  private static ExplanationNode node(Explanation tree, Map<Integer, ObjectRef> references) {
    ExplanationNode node =
        new ExplanationNode(
            SuperMetricAnswers.part(tree.part()),
            new TextSpan(Math.max(0, tree.at().start()), Math.max(0, tree.at().end())),
            tree.text(),
            tree.taken(),
            tree.several(),
            tree.values(),
            number(tree.value()),
            tree.reason() == null ? null : tree.reason().text(),
            tree.parts().stream().map(part -> node(part, references)).toList());
    if (tree.match() != null) {
      node.matched(matched(tree.match(), references));
    }
    return node;
  }

  private static MatchedObjects matched(
      Explanation.Match match, Map<Integer, ObjectRef> references) {
    List<MatchedItem> items = new ArrayList<>();
    for (Explanation.Item item : match.items()) {
      ObjectRef object = references.get(item.object());
      if (object == null) {
        continue; // deleted since the frame was read
      }
      items.add(
          new MatchedItem(
              object,
              item.level(),
              item.key() == null ? match.key() : item.key(),
              number(item.value()),
              item.text(),
              item.fresh(),
              item.time() == 0 ? null : item.time(),
              item.asked(),
              MatchOutcome.valueOf(item.outcome().name())));
    }
    return new MatchedObjects(
        match.kind().adapterKind(),
        match.kind().objectKind(),
        match.key(),
        match.attribute(),
        match.depth(),
        match.objectName(),
        match.where(),
        match.objects(),
        match.candidates(),
        match.withValue(),
        match.leftOut(),
        match.notNumeric(),
        match.kept(),
        items,
        Math.max(0, match.candidates() - match.items().size()));
  }

  private static @Nullable Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }
}
