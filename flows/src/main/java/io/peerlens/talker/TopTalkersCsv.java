package io.peerlens.talker;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OtherTalkers;
import io.peerlens.api.model.TalkerChange;
import io.peerlens.api.model.TopTalker;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.web.CsvConverter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ranking as CSV; the last line is all others. */
public final class TopTalkersCsv extends CsvConverter<TopTalkers> {

  public TopTalkersCsv() {
    super(TopTalkers.class);
  }

  @Override
  protected List<String> columns() {
    return List.of(
        "rank",
        "key",
        "name",
        "object",
        "value",
        "unit",
        "share",
        "before",
        "changeBefore",
        "weekAgo",
        "changeWeekAgo",
        "meanRate",
        "peakMinuteRate",
        "mayMiss");
  }

  @Override
  protected List<List<@Nullable Object>> lines(TopTalkers answer) {
    List<List<@Nullable Object>> lines = new ArrayList<>();
    for (TopTalker item : answer.getItems()) {
      ObjectRef object = item.getTalker().getObject();
      lines.add(
          line(
              item.getRank(),
              item.getTalker().getKey(),
              item.getTalker().getName(),
              object == null ? null : object.getId().toString(),
              item.getValue(),
              answer.getUnit(),
              item.getShare(),
              value(item.getBefore()),
              change(item.getBefore()),
              value(item.getWeekAgo()),
              change(item.getWeekAgo()),
              item.getMeanRate(),
              item.getPeakMinuteRate(),
              item.getMayMiss()));
    }
    OtherTalkers others = answer.getOthers();
    lines.add(
        line(
            null,
            null,
            others.getTalkers() + " others",
            null,
            others.getValue(),
            answer.getUnit(),
            others.getShare(),
            value(others.getBefore()),
            change(others.getBefore()),
            value(others.getWeekAgo()),
            change(others.getWeekAgo()),
            null,
            null,
            null));
    return lines;
  }

  private static @Nullable Double value(@Nullable TalkerChange change) {
    return change == null ? null : change.getValue();
  }

  private static @Nullable Double change(@Nullable TalkerChange change) {
    return change == null ? null : change.getChange();
  }
}
