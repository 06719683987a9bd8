package io.peerlens.series;

import io.peerlens.api.model.TalkerChange;
import io.peerlens.api.model.TopEntry;
import io.peerlens.api.model.TopResult;
import io.peerlens.web.CsvConverter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Objects ranked by a metric as CSV; the last line is all others. */
final class TopObjectsCsv extends CsvConverter<TopResult> {

  TopObjectsCsv() {
    super(TopResult.class);
  }

  @Override
  protected List<String> columns() {
    return List.of(
        "rank",
        "name",
        "object",
        "value",
        "unit",
        "share",
        "before",
        "changeBefore",
        "weekAgo",
        "changeWeekAgo",
        "mean",
        "peak",
        "percentileFrom",
        "relativeError");
  }

  @Override
  protected List<List<@Nullable Object>> lines(TopResult answer) {
    List<List<@Nullable Object>> lines = new ArrayList<>();
    for (TopEntry item : answer.getItems()) {
      TalkerChange before = item.getBefore();
      TalkerChange weekAgo = item.getWeekAgo();
      lines.add(
          line(
              item.getRank(),
              item.getObject().getName(),
              item.getObject().getId().toString(),
              item.getValue(),
              answer.getUnit(),
              item.getShare(),
              before == null ? null : before.getValue(),
              before == null ? null : before.getChange(),
              weekAgo == null ? null : weekAgo.getValue(),
              weekAgo == null ? null : weekAgo.getChange(),
              item.getMean(),
              item.getPeak(),
              item.getPercentileFrom(),
              item.getRelativeError()));
    }
    lines.add(
        line(
            null,
            answer.getOthers().getObjects() + " others",
            null,
            answer.getOthers().getValue(),
            answer.getUnit(),
            answer.getOthers().getShare(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null));
    return lines;
  }
}
