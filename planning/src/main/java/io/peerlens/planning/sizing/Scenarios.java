package io.peerlens.planning.sizing;

import io.peerlens.api.model.ClusterSupply;
import io.peerlens.api.model.ScenarioChange;
import io.peerlens.api.model.ScenarioForecast;
import io.peerlens.api.model.ScenarioPlan;
import io.peerlens.api.model.ScenarioPoint;
import io.peerlens.planning.sizing.ClusterState.Part;
import io.peerlens.sizing.Amounts;
import io.peerlens.sizing.Amounts.Supply;
import io.peerlens.sizing.Answer;
import io.peerlens.sizing.Forecast;
import io.peerlens.sizing.Scenario;
import io.peerlens.sizing.SizingRule;
import io.peerlens.web.ApiException;
import io.peerlens.web.Doubles;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Plans for a cluster, from the contract to forecasts and back. */
final class Scenarios {

  private final ClusterState state;
  private final LocalDate today;

  /**
   * @param state that plans start from
   */
  Scenarios(ClusterState state, LocalDate today) {
    this.state = state;
    this.today = today;
  }

  /**
   * Forecasts of plans, in their order.
   *
   * @throws ApiException if a plan makes no sense
   */
  List<ScenarioForecast> compare(List<ScenarioPlan> plans) {
    List<Scenario> scenarios = new ArrayList<>();
    for (int p = 0; p < plans.size(); p++) {
      scenarios.add(scenario(plans.get(p), "scenarios[" + p + "]"));
    }
    List<Answer<Forecast>> forecasts =
        Forecast.compare(
            scenarios,
            state.cluster(),
            state.trends(),
            state.vms().stream().map(Part::amounts).toList(),
            today,
            SizingRule.USUAL.seed());
    List<ScenarioForecast> answers = new ArrayList<>();
    for (int p = 0; p < plans.size(); p++) {
      answers.add(answer(plans.get(p).getName(), forecasts.get(p)));
    }
    return answers;
  }

  private Scenario scenario(ScenarioPlan plan, String path) {
    List<Scenario.Change> changes = new ArrayList<>();
    for (int c = 0; c < plan.getChanges().size(); c++) {
      String at = path + ".changes[" + c + "]";
      try {
        changes.add(change(plan.getChanges().get(c), at));
      } catch (IllegalArgumentException e) {
        throw ApiException.invalidField(at, String.valueOf(e.getMessage()));
      }
    }
    return new Scenario(plan.getName(), changes);
  }

  private Scenario.Change change(ScenarioChange given, String path) {
    LocalDate day = given.getDay();
    int count = Objects.requireNonNullElse(given.getCount(), 1);
    return switch (given.getKind()) {
      case ADD_VMS -> new Scenario.AddVms(day, count, machine(given, path));
      case REMOVE_VMS -> new Scenario.RemoveVms(day, count, machine(given, path));
      case ADD_HOSTS -> new Scenario.AddHosts(day, count, host(given, path));
      case REMOVE_HOSTS -> new Scenario.RemoveHosts(day, count);
      case HOST_FAILURE -> new Scenario.HostFailure(day);
      case GROW -> new Scenario.Grow(day, share(given, path));
      case GROW_PER_YEAR -> new Scenario.GrowPerYear(day, share(given, path));
    };
  }

  private static double share(ScenarioChange given, String path) {
    Double share = given.getShare();
    if (share == null) {
      throw ApiException.invalidField(path + ".share", "is missing: 0.2 for 20 %");
    }
    return share;
  }

  private Amounts machine(ScenarioChange given, String path) {
    Amounts own = given(given, path, state.vms(), "machine");
    return own != null ? own : mean(state.vms());
  }

  private Amounts host(ScenarioChange given, String path) {
    Amounts own = given(given, path, state.hosts(), "host");
    if (own != null) {
      return own;
    }
    return state.hosts().stream()
        .map(Part::amounts)
        .max(Comparator.comparingDouble(Amounts::cpuMhz))
        .map(Scenarios::zeros)
        .orElseThrow(
            () ->
                ApiException.invalidField(path, "there is no host that it could be like")
                    .hint("Give cpuMhz and memoryGb."));
  }

  /** The amounts that are given, or those of the object that is named; null = neither. */
  private static @Nullable Amounts given(
      ScenarioChange given, String path, List<Part> parts, String what) {
    UUID like = given.getLike();
    boolean amounts =
        given.getCpuMhz() != null
            || given.getMemoryGb() != null
            || given.getDiskGb() != null
            || given.getIops() != null;
    if (like != null && amounts) {
      throw ApiException.invalidField(path + ".like", "stands beside amounts: give one of both");
    }
    if (amounts) {
      return new Amounts(
          or0(given.getCpuMhz()),
          or0(given.getMemoryGb()),
          or0(given.getDiskGb()),
          or0(given.getIops()));
    }
    return like == null
        ? null
        : parts.stream()
            .filter(part -> part.object().equals(like))
            .findFirst()
            .map(part -> zeros(part.amounts()))
            .orElseThrow(
                () ->
                    ApiException.invalidField(
                        path + ".like", "is no " + what + " that runs in the cluster"));
  }

  private static double or0(@Nullable Double value) {
    return value == null ? 0 : value;
  }

  /** What is not known does not matter: its supply is not judged then either. */
  private static Amounts zeros(Amounts of) {
    return new Amounts(zero(of.cpuMhz()), zero(of.memoryGb()), zero(of.diskGb()), zero(of.iops()));
  }

  private static double zero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static Amounts mean(List<Part> parts) {
    double[] means = new double[Supply.values().length];
    for (Supply supply : Supply.values()) {
      means[supply.ordinal()] =
          parts.stream()
              .mapToDouble(part -> part.amounts().of(supply))
              .filter(value -> !Double.isNaN(value))
              .average()
              .orElse(0);
    }
    return new Amounts(means[0], means[1], means[2], means[3]);
  }

  private ScenarioForecast answer(String name, Answer<Forecast> answer) {
    return switch (answer) {
      case Answer.NotKnown<Forecast>(String because) ->
          new ScenarioForecast(name, null, null, null, null, List.of(), because);
      case Answer.Known<Forecast>(Forecast it) ->
          new ScenarioForecast(
              name,
              it.days(),
              it.earliest(),
              it.latest(),
              supply(it.fullFirst()),
              it.points().stream().map(this::point).toList(),
              it.reason());
    };
  }

  private ScenarioPoint point(Forecast.Point of) {
    return new ScenarioPoint(
        today.plusDays(of.day()),
        count(of.vms()),
        count(of.least()),
        count(of.most()),
        supply(of.endsFirst()),
        Doubles.of(of.remaining().stream().mapToDouble(share -> share).toArray()));
  }

  private static @Nullable Integer count(int machines) {
    return machines < 0 ? null : machines;
  }

  /** A supply as the contract names it. */
  static @Nullable ClusterSupply supply(@Nullable Supply of) {
    return of == null ? null : ClusterSupply.fromValue(of.name().toLowerCase(Locale.ROOT));
  }
}
