package io.peerlens.outlier.explain;

import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.outlier.judge.OutlierExplanations.Differing;
import io.peerlens.words.Figures;
import io.peerlens.words.MetricWords;
import io.peerlens.words.Sentence;
import java.time.Instant;
import java.util.List;

/**
 * Sentences that say in what a member is configured unlike its peers: the first property with its
 * value and theirs, since when, and the other properties as long as there is room. Pages,
 * notifications and the API all show these words, at most {@value #MOST_WORDS} of them.
 */
final class ConfigurationSentence {

  static final int MOST_WORDS = 90;

  private static final int LONGEST_VALUE = 60;
  private static final int MOST_VALUE_WORDS = 6;
  private static final int MOST_OTHERS = 3;

  private ConfigurationSentence() {}

  /** The sentences, with the places that are bold. */
  static Sentence of(Differing it) {
    List<OutlierEventProperty> properties = it.properties();
    OutlierEventProperty first = properties.getFirst();
    Instant since = first.getSince();
    Sentence text =
        new Sentence()
            .strong(cut(it.member()))
            .add(": " + cut(MetricWords.within(first.getName())) + " is ")
            .strong(value(first.getValue()))
            .add(" where %s of its peers have ".formatted(howMany(first)))
            .strong(value(first.getCommon()))
            .add(", since ")
            .moment(since, Figures.time(since, it.at()))
            .add(".");
    int others = properties.size() - 1;
    if (others == 0) {
      return text;
    }
    text.add(others == 1 ? " Also different: " : " %d others differ too: ".formatted(others));
    int said = 0;
    for (OutlierEventProperty one : properties.subList(1, properties.size())) {
      String next =
          "%s%s (%s, not %s)"
              .formatted(
                  said == 0 ? "" : "; ",
                  cut(MetricWords.within(one.getName())),
                  value(one.getValue()),
                  value(one.getCommon()));
      if (said == MOST_OTHERS || text.words() + Sentence.words(next) + 3 > MOST_WORDS) {
        break;
      }
      text.add(next);
      said++;
    }
    return text.add(said < others ? "; and %d more.".formatted(others - said) : ".");
  }

  /** {@code 23 of 23} of the others, or {@code 21 of 23}. */
  private static String howMany(OutlierEventProperty one) {
    int peers = one.getJudged() - 1;
    return one.getAgree() == peers
        ? "all %d".formatted(peers)
        : "%d of %d".formatted(one.getAgree(), peers);
  }

  private static String value(String value) {
    return value.isBlank() ? "empty" : cut(value);
  }

  private static String cut(String text) {
    String[] words = text.strip().split("\\s+");
    String some =
        words.length <= MOST_VALUE_WORDS
            ? String.join(" ", words)
            : String.join(" ", List.of(words).subList(0, MOST_VALUE_WORDS)) + "…";
    return some.length() <= LONGEST_VALUE ? some : some.substring(0, LONGEST_VALUE - 1) + "…";
  }
}
