package io.peerlens.benchmarks.learned;

import io.peerlens.benchmarks.Section;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
    LearnedAccuracy accuracy = new LearnedAccuracy(Path.of(args[0]));
    List<String> parts = List.of(args).subList(1, args.length);
    if (parts.size() == 1 && parts.getFirst().endsWith(".md")) {
      Section.write(Path.of(args[1]), SECTION, accuracy.text(PARTS));
    } else if (PARTS.containsAll(parts)) {
      System.out.println(accuracy.text(parts.isEmpty() ? PARTS : parts));
    } else {
      System.err.println("neither a page (.md) nor parts of " + PARTS + ": " + parts);
      System.exit(2);
    }
  }

  private String text(List<String> parts) throws IOException {
    List<Labelled> nab = sets.nab();
    List<Labelled> single = sets.cloudMonitoring();
    List<Labelled> machines = new ArrayList<>(sets.smd());
    machines.addAll(sets.jumpStarter());
    if (parts.contains("nab")) {
      NabPart part = new NabPart(nab, scorers, Published.all(corpus.resolve("nab-results")));
      part.table(page, part.lines(false));
      part.table(page, part.lines(true));
    }
    if (parts.contains("events")) {
      EventsPart part = new EventsPart(machines, single, scorers);
      part.carriedOver(page, part.lines());
      part.bySet(page);
      part.halves(page);
    }
    if (parts.contains("bounds")) {
      BoundsPart part = new BoundsPart(nab, single, machines, sets.bitbrains());
      part.ofBounds(page);
    }
    return page.toString();
  }
}
