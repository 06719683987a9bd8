package io.peerlens.panel;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelEmptyReason;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelQuery;
import io.peerlens.api.model.PanelSort;
import io.peerlens.api.model.SortDirection;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Mistake;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.View;
import io.peerlens.series.TooManyPointsException;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests for the answers of panels. Thread-safe. */
public final class PanelRequests {

  private static final Duration DEFAULT_RANGE = Duration.ofHours(24);
  private static final int DEFAULT_POINTS = 300;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final PanelAnswers answers;
  private final Supplier<StoredViews> views;
  private final InstantSource clock;
  private final SharedAnswers shared;
  private final LongAdder computed = new LongAdder();
  private final LongAdder given = new LongAdder();

  PanelRequests(PanelAnswers answers, Supplier<StoredViews> views, InstantSource clock) {
    this.answers = answers;
    this.views = views;
    this.clock = clock;
    this.shared = new SharedAnswers(clock);
  }

  /**
   * What a panel shows.
   *
   * @throws ApiException if something in the request makes no sense; it names the place
   */
  public PanelAnswer answer(PanelQuery query) {
    Panel panel = read(BundleReader.panel(tree(query.getPanel()), "panel"));
    View view = view(query, panel);
    if (view != null) {
      panel = panel.asking(panel.question().over(view.question()));
    } else if (panel.view() != null) {
      return unknownView(panel);
    }
    check(panel);
    Instant now = clock.instant();
    Instant asOf = query.getAsOf() == null ? null : Moments.field("asOf", query.getAsOf());
    if (asOf != null && asOf.isAfter(now)) {
      throw ApiException.invalidField("asOf", "is still to come").hint("Leave it out for now.");
    }
    Dashboard.Time time =
        query.getTime() == null ? null : read(BundleReader.time(tree(query.getTime()), "time"));
    Instant to =
        asOf != null ? asOf : time instanceof Dashboard.Time.Range range ? range.to() : now;
    Instant from =
        switch (time) {
          case null -> to.minus(DEFAULT_RANGE);
          case Dashboard.Time.Last last -> to.minus(last.length());
          case Dashboard.Time.Range range ->
              asOf == null ? range.from() : asOf.minus(Duration.between(range.from(), range.to()));
        };
    boolean past = asOf != null || to.isBefore(now.minus(Duration.ofMinutes(5)));
    PanelInput input =
        new PanelInput(
            panel,
            query.getVariables() == null ? Map.of() : query.getVariables(),
            from,
            to,
            past ? to : null,
            compareBy(query.getCompareWith()),
            sort(query.getSort()),
            query.getLimit(),
            query.getPoints() == null ? DEFAULT_POINTS : query.getPoints());
    try {
      if (query.getMaxAge() == null) {
        return compute(input);
      }
      // Moments move with the clock; what is asked for does not.
      List<Object> question =
          Arrays.asList(
              panel,
              input.variables(),
              time,
              asOf,
              input.compareBy(),
              input.sort(),
              input.limit(),
              input.points());
      PanelAnswer answer =
          shared.of(question, Durations.parse(query.getMaxAge()), () -> compute(input));
      given.increment();
      return answer;
    } catch (TooManyPointsException e) {
      throw ApiException.of(ErrorCode.TOO_MANY_POINTS, e.detail())
          .field("points", e.reason())
          .hint(e.hint());
    } catch (ObjectGraph.TooManyObjects e) {
      throw ApiException.of(ErrorCode.TOO_EXPENSIVE, String.valueOf(e.getMessage()))
          .hint("Select fewer objects.");
    }
  }

  private PanelAnswer compute(PanelInput input) {
    computed.increment();
    return answers.answer(input);
  }

  /** How many answers were computed. */
  long computed() {
    return computed.sum();
  }

  /** How many answers were given to those who are content with one that is some seconds old. */
  long given() {
    return given.sum();
  }

  private @Nullable View view(PanelQuery query, Panel panel) {
    if (query.getView() != null) {
      return read(BundleReader.view(tree(query.getView()), "view"));
    }
    return panel.view() == null ? null : views.get().find(panel.view()).orElse(null);
  }

  /**
   * Whether a text is a slice of a panel: conditions on what it shows, and on nothing else.
   *
   * @param query the panel, and its view
   * @param variable that holds the slice
   * @throws ApiException if the text is no slice at all
   */
  public boolean isSlice(PanelQuery query, String variable, String text) {
    Panel panel = read(BundleReader.panel(tree(query.getPanel()), "panel"));
    View view = view(query, panel);
    Question question = view == null ? panel.question() : panel.question().over(view.question());
    return panel.type() == Panel.Type.DISTRIBUTION
        && Slices.isOf(question.columns(), variable, text);
  }

  private static JsonNode tree(Map<String, Object> members) {
    return JSON.valueToTree(members);
  }

  private static <T> T read(BundleReader.Result<T> result) {
    if (result.value() == null) {
      throw mistakes(result.mistakes());
    }
    return result.value();
  }

  /** An error that names the place of each mistake. */
  public static ApiException mistakes(List<Mistake> mistakes) {
    Mistake first = mistakes.getFirst();
    ApiException problem = ApiException.invalidField(first.path(), first.text());
    for (Mistake other : mistakes.subList(1, mistakes.size())) {
      problem = problem.field(other.path(), other.text());
    }
    return first.hint().isEmpty() ? problem : problem.hint(first.hint());
  }

  /** What a view and its panel say together. */
  static void check(Panel panel) {
    Question question = panel.question();
    for (Question.Sort sort : question.sort()) {
      if (question.columns().stream().noneMatch(one -> one.name().equals(sort.column()))) {
        throw ApiException.invalidField(
            "panel.sort", "names the column " + sort.column() + ", which there is not");
      }
    }
    if (question.columns().isEmpty()
        && switch (panel.type()) {
          case TABLE, DISTRIBUTION, CHART, SCOREBOARD, TOP, HEATMAP, TIMELINE, SPARKLINES -> true;
          default -> false;
        }) {
      throw ApiException.invalidField("panel.columns", "has no column to show");
    }
  }

  private PanelAnswer unknownView(Panel panel) {
    Instant now = clock.instant();
    Panel.ViewRef view = Objects.requireNonNull(panel.view());
    PanelAnswer answer =
        new PanelAnswer(
            panel.type().word(),
            now.minus(DEFAULT_RANGE).toEpochMilli(),
            now.toEpochMilli(),
            null,
            null,
            0L,
            null,
            new PanelObjects(0, 0, 0),
            List.of());
    answer.setEmpty(
        new PanelEmpty(
            PanelEmptyReason.NOT_ALLOWED,
            "The view cannot be read",
            "There is no view %s, or it is private to somebody else."
                .formatted(view.name() == null ? view.id() : "\"" + view.name() + "\"")));
    return answer;
  }

  private static @Nullable Duration compareBy(@Nullable String text) {
    if (text == null) {
      return null;
    }
    if (text.equals("before")) {
      return Duration.ZERO;
    }
    Duration by =
        text.endsWith("w")
            ? Duration.ofDays(7L * Long.parseLong(text.substring(0, text.length() - 1)))
            : Durations.parse(text);
    if (by.compareTo(BundleReader.LONGEST_WINDOW) > 0) {
      throw ApiException.invalidField(
          "compareWith", "is more than %d days".formatted(BundleReader.LONGEST_WINDOW.toDays()));
    }
    return by;
  }

  private static List<Question.Sort> sort(@Nullable List<PanelSort> wanted) {
    List<Question.Sort> sorts = new ArrayList<>();
    if (wanted != null) {
      wanted.forEach(
          one ->
              sorts.add(new Question.Sort(one.getColumn(), one.getOrder() == SortDirection.DESC)));
    }
    return sorts;
  }
}
