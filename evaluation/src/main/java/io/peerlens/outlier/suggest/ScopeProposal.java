package io.peerlens.outlier.suggest;

import io.peerlens.api.model.Scope;
import io.peerlens.outlier.suggest.SuggestionQueries.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A scope for objects that belong together, in the words that say it best: one tag or two that just
 * these objects have, else how their names begin, else the objects themselves.
 */
record ScopeProposal(String name, Scope scope) {

  private static final int LEAST_PREFIX = 3;

  /**
   * Proposes one.
   *
   * @param members not empty
   * @param all objects of the kind
   */
  static ScopeProposal of(List<Candidate> members, List<Candidate> all) {
    Map<String, String> shared = new TreeMap<>(members.getFirst().tags());
    members.forEach(one -> shared.entrySet().retainAll(one.tags().entrySet()));
    List<Map.Entry<String, String>> tags = new ArrayList<>(shared.entrySet());
    for (Map.Entry<String, String> tag : tags) {
      if (holds(members, all, one -> has(one, tag))) {
        return new ScopeProposal(tag.getValue(), new Scope().tags(List.of(text(tag))));
      }
    }
    for (int a = 0; a < tags.size(); a++) {
      for (int b = a + 1; b < tags.size(); b++) {
        Map.Entry<String, String> first = tags.get(a);
        Map.Entry<String, String> second = tags.get(b);
        if (holds(members, all, one -> has(one, first) && has(one, second))) {
          return new ScopeProposal(
              first.getValue() + "/" + second.getValue(),
              new Scope().tags(List.of(text(first), text(second))));
        }
      }
    }
    String prefix = prefix(members);
    if (prefix.length() >= LEAST_PREFIX
        && holds(members, all, one -> one.name().startsWith(prefix))) {
      return new ScopeProposal(prefix + "*", new Scope().name(prefix + "*"));
    }
    return new ScopeProposal(
        "%s and %d more".formatted(members.getFirst().name(), members.size() - 1),
        new Scope().objects(members.stream().map(Candidate::uuid).toList()));
  }

  private static boolean has(Candidate one, Map.Entry<String, String> tag) {
    return tag.getValue().equals(one.tags().get(tag.getKey()));
  }

  private static String text(Map.Entry<String, String> tag) {
    return tag.getKey() + "=" + tag.getValue();
  }

  /** Whether a condition holds for the members and for nothing else. */
  private static boolean holds(
      List<Candidate> members, List<Candidate> all, Predicate<Candidate> condition) {
    return members.stream().allMatch(condition)
        && all.stream().filter(condition).count() == members.size();
  }

  private static String prefix(List<Candidate> members) {
    String prefix = members.getFirst().name();
    for (Candidate one : members) {
      int same = 0;
      while (same < Math.min(prefix.length(), one.name().length())
          && prefix.charAt(same) == one.name().charAt(same)) {
        same++;
      }
      prefix = prefix.substring(0, same);
    }
    // Not within a number: web-1 would be the beginning of web-10 and web-12.
    return prefix.replaceAll("[0-9]+$", "");
  }
}
