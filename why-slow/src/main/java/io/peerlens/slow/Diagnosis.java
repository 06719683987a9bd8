package io.peerlens.slow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of the search.
 *
 * @param findings what makes it slow, the largest share first; at most two
 * @param bands the five bands in their order
 * @param symptom the figure that shows that it is slow; null = none does
 * @param limits what the limits of its disks do, the one that delays most first
 * @param missing what is not known
 * @param phrases the whole finding in parts; the first is the title
 */
public record Diagnosis(
    State state,
    List<Finding> findings,
    List<BandVerdict> bands,
    @Nullable Reading symptom,
    List<LimitReading> limits,
    List<Missing> missing,
    List<Phrase> phrases) {

  public Diagnosis {
    findings = List.copyOf(findings);
    bands = List.copyOf(bands);
    limits = List.copyOf(limits);
    missing = List.copyOf(missing);
    phrases = List.copyOf(phrases);
  }

  /** The same with a sentence more. */
  public Diagnosis with(Phrase... more) {
    List<Phrase> all = new ArrayList<>(phrases);
    all.addAll(List.of(more));
    return new Diagnosis(state, findings, bands, symptom, limits, missing, all);
  }

  /** The finding in one sentence. */
  public String title() {
    return phrases.getFirst().text().strip();
  }

  /** The whole finding. */
  public String text() {
    StringBuilder text = new StringBuilder();
    phrases.forEach(phrase -> text.append(phrase.text()));
    return text.toString().strip();
  }
}
