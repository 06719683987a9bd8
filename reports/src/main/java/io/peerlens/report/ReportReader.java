package io.peerlens.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.ReportEdit;
import io.peerlens.api.model.ReportFile;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Mistake;
import io.peerlens.definition.Definitions;
import io.peerlens.scope.ScopeReader;
import io.peerlens.talker.report.TalkerReportReader;
import io.peerlens.web.ApiException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reader of reports from the API's model. */
final class ReportReader {

  private ReportReader() {}

  /**
   * Reads a report.
   *
   * @param path of the report in the body, with a point at its end, or empty
   * @throws ApiException if something in it makes no sense
   */
  static Report read(UUID id, long version, String path, ReportEdit wanted) {
    long sources =
        Stream.of(wanted.getDashboard(), wanted.getView(), wanted.getLoadProfile())
            .filter(Objects::nonNull)
            .count();
    if (sources != 1) {
      throw ApiException.invalidField(
              path + "dashboard", ", view and loadProfile: a report shows exactly one of them")
          .hint("Give the id of a dashboard or of a view, or the question for a load profile.");
    }
    if (wanted.getEach() != null && wanted.getDashboard() == null) {
      throw ApiException.invalidField(path + "each", "is for dashboards, which have variables");
    }
    if (wanted.getLoadProfile() != null
        && !requireNonNullElse(wanted.getVariables(), Map.of()).isEmpty()) {
      throw ApiException.invalidField(
          path + "variables", "are for dashboards and views; a load profile has none");
    }
    List<UUID> targets = requireNonNullElse(wanted.getTargets(), List.of());
    if (new HashSet<>(targets).size() < targets.size()) {
      throw ApiException.invalidField(path + "targets", "names a target twice");
    }
    Map<String, String> variables = requireNonNullElse(wanted.getVariables(), Map.of());
    variables.forEach(
        (name, value) -> {
          ScopeReader.storable(path + "variables", name);
          ScopeReader.storable(path + "variables." + name, value);
        });
    List<ReportFile> files = wanted.getFiles();
    return new Report(
        id,
        ScopeReader.storable(path + "name", wanted.getName()),
        ScopeReader.storable(path + "description", requireNonNullElse(wanted.getDescription(), "")),
        ScopeReader.storable(path + "owner", requireNonNullElse(wanted.getOwner(), "")),
        wanted.getDashboard(),
        wanted.getView(),
        wanted.getLoadProfile(),
        variables,
        wanted.getEach(),
        time(path, wanted.getTime()),
        TalkerReportReader.schedule(path + "schedule.", wanted.getSchedule()),
        targets,
        files == null ? Set.of(ReportFile.values()) : Set.copyOf(files),
        version);
  }

  private static Dashboard.@Nullable Time time(String path, @Nullable Map<String, Object> time) {
    if (time == null) {
      return null;
    }
    BundleReader.Result<Dashboard.Time> read =
        BundleReader.time(Definitions.tree(time), path + "time");
    if (read.value() == null) {
      Mistake first = read.mistakes().getFirst();
      ApiException problem = ApiException.invalidField(first.path(), first.text());
      throw first.hint().isEmpty() ? problem : problem.hint(first.hint());
    }
    return read.value();
  }
}
