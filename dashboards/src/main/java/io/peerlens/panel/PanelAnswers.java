package io.peerlens.panel;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.learning.PastBands;
import io.peerlens.scope.Scopes;
import io.peerlens.series.SeriesService;
import io.peerlens.series.WindowStatistics;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.vocabulary.Vocabularies;
import java.util.List;

/** Answers to what panels ask. Thread-safe. */
public final class PanelAnswers {

  private final Frames frames;
  private final FrameProperties properties;
  private final SampleReader reader;
  private final LevelStates levels;
  private final WindowStatistics statistics;
  private final SeriesService series;
  private final PastBands bands;
  private final Scopes scopes;
  private final Vocabularies vocabularies;
  private final SuperMetricStates superMetrics;
  private final PanelObjectQueries objects;
  private final PanelAlertQueries alerts;

  PanelAnswers(
      Frames frames,
      FrameProperties properties,
      SampleReader reader,
      LevelStates levels,
      WindowStatistics statistics,
      SeriesService series,
      PastBands bands,
      Scopes scopes,
      Vocabularies vocabularies,
      SuperMetricStates superMetrics,
      PanelObjectQueries objects,
      PanelAlertQueries alerts) {
    this.frames = frames;
    this.properties = properties;
    this.reader = reader;
    this.levels = levels;
    this.statistics = statistics;
    this.series = series;
    this.bands = bands;
    this.scopes = scopes;
    this.vocabularies = vocabularies;
    this.superMetrics = superMetrics;
    this.objects = objects;
    this.alerts = alerts;
  }

  /** What a panel shows; where that is nothing, the answer says why. */
  PanelAnswer answer(PanelInput input) {
    long begin = System.nanoTime();
    VariableTexts texts = new VariableTexts(input.variables());
    Panel panel = input.panel();
    PanelAnswer answer =
        new PanelAnswer(
            panel.type().word(),
            input.start().toEpochMilli(),
            input.to().toEpochMilli(),
            input.asOf() == null ? null : input.asOf().toEpochMilli(),
            null,
            0L,
            null,
            new PanelObjects(0, 0, 0),
            List.of());
    if (panel.title() != null) {
      answer.setTitle(texts.show(panel.title()));
    }
    try {
      Selection selection = new Selection(frames, scopes, objects, texts);
      MetricReads metrics =
          new MetricReads(
              frames,
              reader,
              statistics,
              levels,
              objects,
              properties,
              panel.question().businessHours());
      UsualReads usual = new UsualReads(bands, metrics, selection.graph());
      ColumnReads columns =
          new ColumnReads(
              frames, metrics, usual, objects, alerts, selection, vocabularies, texts, input);
      new PanelRun(
              input,
              answer,
              texts,
              selection,
              columns,
              usual,
              series,
              objects,
              alerts,
              superMetrics)
          .run();
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
