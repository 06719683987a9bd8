package io.peerlens.report;

import io.peerlens.api.model.LoadProfileQuestion;
import io.peerlens.api.model.ReportFile;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.talker.report.TalkerReportSchedule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dashboard, a view or a load profile that is kept and sent: exactly one of them.
 *
 * @param owner name of the token with whose rights it reads
 * @param dashboard that it shows; null = it shows something else
 * @param view that it shows; null = it shows something else
 * @param loadProfile that is computed each time; null = it shows something else
 * @param variables values by name; objects by their ids
 * @param each variable that has a part for each of its values; null = there is one part
 * @param time null = that of the dashboard, or what is usual
 * @param schedule when it is due; null = never
 * @param targets who it is sent to
 * @param files what mails carry beside the pictures
 * @param version its ETag, from 1
 */
record Report(
    UUID id,
    String name,
    String description,
    String owner,
    @Nullable UUID dashboard,
    @Nullable UUID view,
    @Nullable LoadProfileQuestion loadProfile,
    Map<String, String> variables,
    @Nullable String each,
    Dashboard.@Nullable Time time,
    @Nullable TalkerReportSchedule schedule,
    List<UUID> targets,
    Set<ReportFile> files,
    long version) {

  Report {
    variables = Map.copyOf(variables);
    targets = List.copyOf(targets);
    files = Set.copyOf(files);
  }
}
