package io.peerlens.benchmarks;

import io.peerlens.benchmarks.accuracy.Accuracy;
import io.peerlens.benchmarks.learned.LearnedAccuracy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Command that makes all of docs/accuracy.md: runs the benchmarks of outliers and of learned
 * thresholds, and writes a summary of both below the title.
 *
 * <pre>AccuracyPage CORPUS PAGE.md</pre>
 */
public final class AccuracyPage {

  private static final String WORDS =
      """
      Made by one run of MINUTES minutes, of which nothing is left out, also where a figure fell:

          java -cp benchmarks/target/classes:$(cat benchmarks/target/classpath) \\
            io.peerlens.benchmarks.AccuracyPage ../shared/corpus docs/accuracy.md

      Intervals hold 95 %. "Ahead by" is below 0 where another method is better, and says nothing for sure where its interval holds 0. "Best other" is the best of all baselines by that very figure,
      so it is chosen against Peerlens. The sections below say how each figure is made.

      """;

  /** In each set of groups and part. */
  private static final int PLACES = 100;

  private AccuracyPage() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2 || !args[1].endsWith(".md")) {
      System.err.println("AccuracyPage CORPUS PAGE.md");
      System.exit(2);
    }
    Path corpus = Path.of(args[0]);
    Path page = Path.of(args[1]);
    long start = System.nanoTime();
    List<Headline> headlines = new ArrayList<>(Accuracy.write(corpus, page, PLACES));
    headlines.addAll(LearnedAccuracy.write(corpus, page));
    long minutes = Math.ceilDiv(Duration.ofNanos(System.nanoTime() - start).toSeconds(), 60);
    Section.write(
        page,
        Section.SUMMARY,
        WORDS.replace("MINUTES", String.valueOf(minutes)) + Headline.table(headlines));
  }
}
