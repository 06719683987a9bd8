package io.peerlens.benchmarks.learned;

/** The words around the figures. */
final class Words {

  static final String BEFORE =
      """
      ## Learned thresholds

      How well the past of a series tells what is unusual. This part of the page is generated; alone it is made by

          java -cp benchmarks/target/classes:$(cat benchmarks/target/classpath) \\
            io.peerlens.benchmarks.learned.LearnedAccuracy ../shared/corpus docs/accuracy.md

      **Peerlens** is the novelty of a value of a stream (`StreamScore`; for NAB the score that is made of it), which is told how far the value is beyond the learned bounds, and for machines with many metrics `ObjectScore`, which knows no bounds
      (`GET /objects/{id}/anomaly-score` gives it of any object). **Learned bounds** are what
      thresholds with learned bounds judge by: `BandLearner`'s bands of each day, made of the hours that ended a day before (or of all before the
      day while that is too little), 3 of the last 4 values beyond them by a tenth of the bound, without the score; 6 values that are not end an event. Where rows are more than 15 minutes apart, one value opens an event
      and one ends it. The hours of an event that lasts a day at most are not learned from, those of a longer one are, and those of events that come back within a day for more than two days. Before 7 days were learned they say nothing, which is half of most files of NAB. Where learned bounds stand among scores, the number of spreads beyond the band is theirs.

      Each set is drawn in two halves by a fixed seed, one for development and one kept aside. Constants of Peerlens were chosen on these very sets, which those of the baselines were not but for PCA's window (the Javadoc of `StreamScore`, `MetricScore`, `ObjectScore` and `BandLearner` says how), so what it gives on unseen data may be less.
      **Not all that is kept aside is unseen:** SMD's machines 1-2, 1-4, 1-6 and 1-7 were looked at for earlier versions, in whichever half they are now. All intervals hold 95 % and are made by
      drawing whole files or machines with replacement (bootstrap, SAMPLES samples, of each set as many as there are), because what happens on one machine is not independent. "Ahead by" compares over the same
      samples: below 0, Peerlens is behind; an interval that holds 0 says that the data cannot tell.

      """;

  static final String NAB =
      """
      ### Numenta anomaly benchmark (NAB)

      FILES files, judged by its own rules, written from its paper and README: windows, the first 15 % (at most 750 rows) for learning, three profiles, and one threshold for all files that is the best over
      all files, as its optimizer does it. That is the headline. In the columns of the halves each has its own best threshold, and the last one uses the development half's on the other. Scores are not comparable with
      those that NAB lists for 58 files.

      The detectors marked "published" were not run here: their scores are those in the result files that NAB publishes, read where they lie. Intervals look for the best threshold anew in each sample.
      Checked: the weight of a row as a detection is the one that NAB has stored in WEIGHTS rows; of the windowed Gaussian, run here, GAUSSIAN files have the score, the true and the false
      positives that NAB has published.

      **As a signal**, each row is judged by the score that the detector gives. "Peerlens" is `StreamScore.next()`, which after a report is 0 for hours, but for what is newer than what was reported. This is part of the
      detector, and it pays here, as NAB counts every row above the threshold outside of a window. The two that are ahead do the like: after an anomaly ARTime scores for about a ninth of the rows for learning
      only what is less like all it knows than the anomaly was (`detect!` in ARTimeNAB.jl), and CAD OSE has 0 for a fifth of the rows for learning after each score of 0.75 or more (as its result files show).
      "Peerlens, without its silence after a report" is `StreamScore.novelty()`: how new a value is, whether or not that was reported before.

      """;

  static final String NAB_HALVES =
      """
      The halves differ in difficulty. What those that have 60 or more as a signal have more on the half kept aside than on that for development: MORE.

      """;

  static final String ONCE =
      """
      As NAB counts every row above the threshold outside of a window, it pays to speak once. **Told once**, all detectors' signals go through one fixed transformation, those that are quiet after a report by
      themselves too: a row keeps its score if no row that was told within the day before has one as high, otherwise it has 0.

      """;

  static final String EVENTS =
      """
      ### Machines, services and single series

      SETS. Judged by events, without
      point adjustment: a labelled stretch is found or missed once; a stretch without label is one false event, and one more for each further six hours. Half an hour of quiet
      (three rows where rows are farther apart) does not end an event, and two rows behind a label belong to it. Rows of a minute are averaged to five minutes first, for all detectors, as this is what Peerlens judges.
      F1 is of all events of a set together.

      "As shipped" is what users get: machines are judged by `ObjectScore.UNUSUAL`, which was chosen on machines of these sets, among them such as it judges here (SINGLE). **"Carried over" is fitted on nothing that it judges**; one is left out: the
      threshold for each machine or series is the one with the best F1 on others, and of thresholds in a row that are equally good the middle one. For baselines the way of combining metrics is chosen there too, out of
      nine: the highest score, the two or five highest or all, of each row or as a mean over half an hour, or `ObjectScore` of their scores. As half an hour that is right for some machines is wrong for others, "single rows" has the best of the four ways that look at each
      row by itself. Peerlens has one fixed way. Intervals draw recordings with what was carried over to them; the last column chooses thresholds and ways anew in each sample, of which fewer different recordings than there are
      can be chosen on.

      3-sigma, Holt-Winters (Brutlag's constants) and the windowed Gaussian (NAB's constants) have nothing to fit. The isolation forest has 100 trees of 256 rows. PCA is the reconstruction error of as many components as hold 90 % of the variance, over
      metrics standardised and fitted on the rows for learning only. Both look at all metrics of a machine, or at the last eight values of a single series (for PCA the best of 8, 12 and 24 on the development half), where they are fitted again every 500 rows. The matrix profile is the left one (how unlike all before the last 24 values are), written for
      this benchmark, as no maintained Java library of it was found.

      """;

  static final String SAME_SET =
      """
      Carried over from all other machines or series of the same set:

      """;

  static final String SAME_KIND =
      """
      Carried over from all other machines of all sets together, as if nothing were known of what kind of machine it is (single series as before):

      """;

  static final String OTHER_SETS =
      """
      Carried over from the other set of machines alone, F1:

      """;

  static final String DEEP =
      """
      #### Published figures of deep methods

      Figures that can be traced, none of them comparable with those above: predictions by row, by which the same events could be counted, were not found.

      | figure | source | how |
      |---|---|---|
      | SMD, F1 0.96 TranAD, 0.92 Anomaly Transformer | Tuli et al., VLDB 2022; Xu et al., ICLR 2022 | 28 machines, by row, with point adjustment: one row that is found makes all of a labelled stretch found. Kim et al. (AAAI 2022, arXiv 2109.05257) show that with it random scores reach the best published figures |
      | machines 1-2, 1-7, 2-2, 2-7, 3-4 and 3-10 of SMD, VUS-PR: PCA 0.43, CNN 0.39, LSTM 0.33, TranAD 0.32, autoencoder 0.29, isolation forest 0.26, OmniAnomaly 0.22, USAD 0.19, Anomaly Transformer 0.08 | TSB-AD (Liu and Paparrizos, NeurIPS 2024), table of VUS-PR by file; machines told by their number of rows and labelled rows | no threshold at all: the area under precision and recall over all thresholds and tolerances, by row; models fitted on the first rows of each test part, parameters tuned on other machines. Mean of the six |

      By TSB-AD's measure no deep method is ahead of PCA on these machines, and PCA and the isolation forest are run above.

      """;

  static final String HALVES =
      """
      #### By halves

      One threshold for each set and detector: the best on the development half, used on both. F1 of all (development | kept aside); found / missed / false events of development | kept aside. As shipped, the same threshold as above.

      """;

  static final String QUIET =
      """
      ### False events of scores

      Per series and week, on single series without anomalies from the ninth day on, at the threshold that is best on the development half of MS cloud monitoring. "Bitbrains" are five metrics of every
      fourth virtual machine there; they have no labels, so real oddities count as false.

      """;

  static final String BOUNDS =
      """
      ### Learned bounds at the three sensitivities

      No threshold is fitted here, though the rules of learning were chosen with these sets in view: bounds widened by the margin of the sensitivity, from the ninth day on. First sets in which by their own account nothing is wrong, among them what SMD and JumpStarter give for learning, so that every event is false; then
      sets with anomalies. Each metric is judged by itself; recall counts what at least one metric of a machine finds. Weeks are those of all series together. The series of the Microsoft set
      are mostly hourly, where one value opens an event and one ends it.

      """;

  static final String BOUNDS_HALVES =
      """
      F1, recall and precision of events by halves. For machines, events of all their metrics together.

      """;

  static final String AFTER =
      """
      ### What to keep in mind

      - Wu and Keogh (arXiv 2009.13807) show that NAB, SMD and other sets have anomalies that are trivial, mislabelled, too many in one stretch or at the end of a run, and argue against
        ranking methods by small differences on them. The intervals say how much the choice of files and machines matters, but nothing of that.
      - 13 of the labelled stretches of SMD are a burst of a few minutes on machine 1-6 that comes every day at the same time, and came on each of the 16 days for learning too, in which
        by the set's own account nothing is wrong. Whatever learns how rare things are takes it for more or less usual.
      - SMD and JumpStarter have no times; they are read as if they began on a Monday at midnight, so weekends have no meaning in them.
      - The NAB and Microsoft series without anomalies are few weeks in all, too few to tell much.
      - NAB rewards to speak once and early; bounds that need 7 days of learning and 3 of 4 values are not made for it.
      - Cost, on one core that was shared with other work: COST.
      """;

  private Words() {}
}
