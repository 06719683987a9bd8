package io.peerlens.benchmarks.learned;

import io.peerlens.benchmarks.Headline;
import io.peerlens.benchmarks.Section;
import io.peerlens.benchmarks.learned.EventsPart.From;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The accuracy benchmark of what is learned from a series' own past: reads the labelled sets, runs
 * all detectors and writes a part of a page.
 *
 * <pre>LearnedAccuracy CORPUS [PAGE.md | PART...]</pre>
 *
 * <p>Without a page, what would be written is printed: all of it, or the parts {@code nab}, {@code
 * events} and {@code bounds} that are named.
 */
public final class LearnedAccuracy {

  private static final String SECTION = "learned thresholds";
  private static final List<String> PARTS = List.of("nab", "events", "bounds");

  private final Path corpus;
  private final Sets sets;
  private final List<Scorer> scorers = new ArrayList<>();
  private final StringBuilder page = new StringBuilder();
  private final List<Headline> headlines = new ArrayList<>();

  private LearnedAccuracy(Path corpus) {
    this.corpus = corpus;
    sets = new Sets(corpus);
    scorers.add(new Stream(false));
    scorers.add(new LearnedBounds(LearnedBounds.MINIMUM_RELATIVE));
    for (Baseline baseline : Baseline.values()) {
      scorers.add(baseline.scorer());
    }
    scorers.add(new IsolationForest());
    scorers.add(new PrincipalComponents());
    scorers.add(new Each("matrix profile", (values, day) -> MatrixProfile.score(values)));
  }

  public static void main(String[] args) throws IOException {
    Path corpus = Path.of(args[0]);
    List<String> parts = List.of(args).subList(1, args.length);
    if (parts.size() == 1 && parts.getFirst().endsWith(".md")) {
      write(corpus, Path.of(parts.getFirst()));
    } else if (PARTS.containsAll(parts)) {
      System.out.println(new LearnedAccuracy(corpus).text(parts.isEmpty() ? PARTS : parts));
    } else {
      System.err.println("neither a page (.md) nor parts of " + PARTS + ": " + parts);
      System.exit(2);
    }
  }

  /**
   * Runs everything and writes its part of a page.
   *
   * @return what belongs in a summary
   */
  public static List<Headline> write(Path corpus, Path page) throws IOException {
    LearnedAccuracy accuracy = new LearnedAccuracy(corpus);
    Section.write(page, SECTION, accuracy.text(PARTS));
    return accuracy.headlines;
  }

  private String text(List<String> parts) throws IOException {
    List<Labelled> nab = sets.nab();
    List<Labelled> single = sets.cloudMonitoring();
    List<Labelled> machines = new ArrayList<>(sets.smd());
    machines.addAll(sets.jumpStarter());
    List<Labelled> unlabelled = sets.bitbrains();
    page.append(Words.BEFORE.replace("SAMPLES", String.valueOf(Bootstrap.SAMPLES)));
    if (parts.contains("nab")) {
      nab(nab);
    }
    if (parts.contains("events")) {
      events(machines, single);
    }
    if (parts.contains("bounds")) {
      bounds(new BoundsPart(nab, single, machines, unlabelled), single);
    }
    page.append(Words.AFTER.replace("COST", Cost.text(unlabelled)));
    return page.toString();
  }

  private void nab(List<Labelled> nab) throws IOException {
    NabPart part = new NabPart(nab, scorers, Published.all(corpus.resolve("nab-results")));
    page.append(
        Words.NAB
            .replace("FILES", String.valueOf(nab.size()))
            .replace("WEIGHTS", part.weightsAsPublished())
            .replace("GAUSSIAN", part.windowedGaussianAsPublished()));
    List<NabPart.Line> signal = part.lines(false);
    NabPart.table(page, signal);
    page.append(part.missing());
    page.append(Words.NAB_HALVES.replace("MORE", NabPart.halves(signal)));
    page.append(Words.ONCE);
    List<NabPart.Line> once = part.lines(true);
    NabPart.table(page, once);
    String set = "NAB (" + nab.size() + " files), standard, ";
    headlines.add(NabPart.headline(set + "as a signal", signal, NabPart.PEERLENS));
    headlines.add(
        NabPart.headline(
            set + "as a signal, without its silence after a report",
            signal,
            NabPart.WITHOUT_SILENCE));
    headlines.add(NabPart.headline(set + "told once", once, NabPart.PEERLENS));
  }

  private void events(List<Labelled> machines, List<Labelled> single) {
    EventsPart part = new EventsPart(machines, single, scorers);
    List<Labelled> all = new ArrayList<>(machines);
    all.addAll(single);
    page.append(
        Words.EVENTS
            .replace("SETS", described(all))
            .replace(
                "SINGLE", "single series have no level that is shipped; theirs is carried over"));
    page.append(Words.SAME_SET);
    List<EventLine> sameSet = part.lines(From.SAME_SET);
    part.carriedOver(page, sameSet);
    page.append(Words.SAME_KIND);
    List<EventLine> sameKind = part.lines(From.SAME_KIND);
    part.carriedOver(page, sameKind);
    page.append(Words.OTHER_SETS);
    part.otherSets(page);
    page.append(Words.DEEP);
    page.append(Words.HALVES);
    part.halves(page);
    headlines.addAll(part.headlines(sameSet, sameKind));
  }

  /** What there is of each set. */
  private static String described(List<Labelled> series) {
    Map<String, List<Labelled>> bySet =
        series.stream()
            .collect(Collectors.groupingBy(Labelled::set, LinkedHashMap::new, Collectors.toList()));
    return bySet.entrySet().stream()
        .map(
            e ->
                String.format(
                    "%s: %d recordings of %d metrics, %d labelled stretches",
                    e.getKey(),
                    e.getValue().size(),
                    e.getValue().getFirst().metrics().length,
                    e.getValue().stream().mapToInt(s -> s.segments().length).sum()))
        .collect(Collectors.joining("; "));
  }

  private void bounds(BoundsPart part, List<Labelled> single) {
    List<Labelled> judged = single.stream().map(Labelled::fiveMinutes).toList();
    page.append(Words.QUIET);
    part.ofScores(page, scorers, scorer -> EventsPart.thresholdOfDevelopment(judged, scorer));
    page.append(Words.BOUNDS);
    headlines.addAll(part.ofBounds(page));
    page.append(Words.BOUNDS_HALVES);
    part.halves(page);
  }
}
