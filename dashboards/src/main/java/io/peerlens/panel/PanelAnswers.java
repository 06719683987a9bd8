package io.peerlens.panel;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.dashboard.file.Panel;
import java.util.List;

/** Answers to what panels ask. Thread-safe. */
public final class PanelAnswers {

  private final PanelData data;

  PanelAnswers(PanelData data) {
    this.data = data;
  }

  /** What a panel shows; where that is nothing, the answer says why. */
  PanelAnswer answer(PanelInput asked) {
    long begin = System.nanoTime();
    VariableTexts texts = new VariableTexts(asked.variables());
    Panel panel = asked.panel();
    PanelAnswer answer =
        new PanelAnswer(
            panel.type().word(),
            asked.start().toEpochMilli(),
            asked.to().toEpochMilli(),
            asked.asOf() == null ? null : asked.asOf().toEpochMilli(),
            null,
            0L,
            null,
            new PanelObjects(0, 0, 0),
            List.of());
    if (panel.title() != null) {
      answer.setTitle(texts.show(panel.title()));
    }
    try {
      PanelInput input = asked.withPercentiles(texts);
      Selection selection = new Selection(data, texts);
      MetricReads metrics = new MetricReads(data, panel.question().businessHours());
      UsualReads usual = new UsualReads(data, metrics, selection.graph());
      ColumnReads columns = new ColumnReads(data, metrics, usual, selection, texts, input);
      new PanelRun(input, answer, texts, selection, columns, usual, data).run();
      answer.setNewest(metrics.newest() == null ? null : metrics.newest().toEpochMilli());
      io.peerlens.store.Level level = metrics.level();
      if (level != null) {
        answer.setLevel(io.peerlens.api.model.Level.fromValue(level.label()));
      }
    } catch (EmptyPanel e) {
      answer.setEmpty(e.empty());
      answer.setObjects(new PanelObjects(e.matched(), 0, 0));
    }
    answer.setTookMillis((System.nanoTime() - begin) / 1_000_000);
    return answer;
  }
}
