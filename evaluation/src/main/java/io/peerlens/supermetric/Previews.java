package io.peerlens.supermetric;

import io.peerlens.api.model.ExplanationNode;
import io.peerlens.api.model.MatchOutcome;
import io.peerlens.api.model.MatchedItem;
import io.peerlens.api.model.MatchedObjects;
import io.peerlens.api.model.NoDataReason;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PreviewRequest;
import io.peerlens.api.model.PreviewResult;
import io.peerlens.api.model.PreviewSeries;
import io.peerlens.api.model.TextSpan;
import io.peerlens.frame.Frames;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetric.ObjectReferenceQueries.Found;
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
 * Computes formulas for some objects over a stretch of time, and explains single values. Nothing is
 * stored. The engine computes whole kinds, so the cost goes by the size of the installation; each
 * preview is computed within limits. Thread-safe.
 */
final class Previews {

  private static final Duration EXPLANATION_TIME = Duration.ofSeconds(5);
  private static final int AUTO_MOMENTS = 120;
  private static final Duration LONGEST_STEP = Duration.ofDays(366);
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofSeconds(20),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(15),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(2),
          Duration.ofHours(6),
          Duration.ofHours(12),
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(30));

  /** Of a formula that is not stored. */
  private static final UUID NOBODY = new UUID(0, 0);

  private final SuperMetricStore store;
  private final ObjectReferenceQueries objects;
  private final Frames frames;
  private final SuperMetricProperties properties;
  private final Duration metricAge;
  private final Program.Options options;
  private final InstantSource clock;

  Previews(
      SuperMetricStore store,
      ObjectReferenceQueries objects,
      Frames frames,
      SuperMetricProperties properties,
      Duration metricAge,
      Program.Options options,
      InstantSource clock) {
    this.store = store;
    this.objects = objects;
    this.frames = frames;
    this.properties = properties;
    this.metricAge = metricAge;
    this.options = options;
    this.clock = clock;
  }

  /** The moments to be computed. */
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
    Map<UUID, Found> known = objects.byUuid(new HashSet<>(request.getObjects()));
    List<Found> chosen =
        request.getObjects().stream().distinct().map(known::get).filter(Objects::nonNull).toList();
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

  private Formula formula(PreviewRequest request) {
    String text = request.getFormula();
    UUID id = request.getId();
    if (text == null) {
      if (id == null) {
        throw ApiException.invalidField("formula", "is missing")
            .hint("Give a formula, or the id of a super metric.");
      }
      Entry entry = store.catalogue().find(id);
      if (entry == null) {
        throw SuperMetricService.notFound(id);
      }
      text = entry.stored().definition().formula();
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
            ? auto(length)
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

  private static Duration auto(Duration length) {
    for (Duration step : STEPS) {
      if (length.toMillis() <= step.toMillis() * AUTO_MOMENTS) {
        return step;
      }
    }
    return LONGEST_STEP;
  }

  // --------------------------------------------------------------------------------------- series

  /** Values of the chosen objects, moment by moment. */
  private final class Series {
    private final Definition definition;
    private final List<Found> chosen;
    private final List<Long> times = new ArrayList<>();
    private final List<@Nullable Double[]> values = new ArrayList<>();
    private final List<Map<String, Integer>> noData = new ArrayList<>();
    private @Nullable SelfMemory memory;
    private int moment;
    private long deadline;

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
      Program program = Program.of(List.of(definition), options);
      Program.Workspace workspace = new Program.Workspace();
      memory = SelfMemory.of(definition, frames, window.from(), metricAge);
      deadline = options.ticker().getAsLong() + properties.previewTime().toNanos();
      frames.each(
          program.inputs(),
          window.from(),
          end,
          window.step(),
          stored -> {
            inTime();
            SelfMemory own = memory;
            Frame frame = own == null ? stored : own.over(stored);
            take(program.run(frame, Program.Enabled.ALL, workspace), frame);
          });
    }

    private void inTime() {
      if (options.ticker().getAsLong() > deadline) {
        throw ApiException.of(
                ErrorCode.TOO_MANY_POINTS,
                "The preview took longer than %s; %,d of %,d moments were computed."
                    .formatted(Durations.print(properties.previewTime()), moment, times.size()))
            .hint("Use a wider step or a shorter window.");
      }
    }

    private void take(Results results, Frame frame) {
      Explainer why = new Explainer(frame, options, new Explainer.Limits(1, 0, EXPLANATION_TIME));
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
      if (memory != null) {
        memory.remember(frame, results);
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
        series.add(
            new PreviewSeries(chosen.get(i).reference(), Arrays.asList(values.get(i)), reasons));
      }
      return series;
    }
  }

  // --------------------------------------------------------------------------------- explanations

  private List<io.peerlens.api.model.Explanation> explain(
      Definition definition, List<Found> chosen, Instant at) {
    if (chosen.isEmpty()) {
      return List.of();
    }
    Program program = Program.of(List.of(definition), options);
    Frame frame = frames.load(program.inputs(), at);
    Explainer explainer =
        new Explainer(
            frame,
            options,
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
    Map<Integer, ObjectRef> references = new HashMap<>();
    objects.byId(met).forEach((id, found) -> references.put(id, found.reference()));
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
