package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Dependencies between super metrics, and the order that follows: what is read comes before what
 * reads it. Super metrics that read one another in a circle, or themselves, see the value of the
 * tick before (strongly connected components, R. Tarjan 1972).
 */
public final class Dependencies {

  private final List<UUID> order = new ArrayList<>();
  private final Map<UUID, Set<UUID>> reads = new TreeMap<>();
  private final Map<UUID, Set<UUID>> cycles = new HashMap<>();

  private Dependencies() {}

  /** Dependencies between some super metrics; what they read besides is left out. */
  public static Dependencies of(Collection<Definition> definitions) {
    Dependencies result = new Dependencies();
    Set<UUID> known = new HashSet<>();
    definitions.forEach(definition -> known.add(definition.id()));
    for (Definition definition : definitions) {
      Set<UUID> read = superMetrics(definition.formula().tree());
      read.retainAll(known);
      result.reads.put(definition.id(), read);
    }
    result.sort();
    return result;
  }

  /** Super metrics, each behind those that it reads in this order. */
  public List<UUID> order() {
    return List.copyOf(order);
  }

  /** What a super metric reads, of those that are computed. */
  public Set<UUID> reads(UUID id) {
    return Set.copyOf(reads.getOrDefault(id, Set.of()));
  }

  /** Super metrics of the circle that one belongs to, itself included; empty = it is in none. */
  public Set<UUID> cycle(UUID id) {
    return cycles.getOrDefault(id, Set.of());
  }

  /** Every super metric that a formula reads, in the order of the text. */
  public static Set<UUID> superMetrics(Expr tree) {
    Set<UUID> found = new LinkedHashSet<>();
    tree.walk(
        expr -> {
          String key =
              switch (expr) {
                case Expr.Entry entry -> entry.key();
                case Expr.OtherKey other -> other.key();
                default -> "";
              };
          UUID id = Keys.superMetric(key);
          if (id != null) {
            found.add(id);
          }
        });
    return found;
  }

  /**
   * Every column that a formula reads when it is computed for a kind.
   *
   * @param kind what {@code this} stands for
   */
  public static Set<Input> inputs(Expr tree, ObjectKind kind) {
    Set<Input> inputs = new LinkedHashSet<>();
    tree.walk(
        expr -> {
          if (expr instanceof Expr.Entry entry) {
            ObjectKind of =
                entry.adapterKind() == null || entry.objectKind() == null
                    ? kind
                    : new ObjectKind(entry.adapterKind(), entry.objectKind());
            Set<String> fresh = new HashSet<>();
            Set<String> others = new LinkedHashSet<>();
            if (entry.where() != null) {
              entry
                  .where()
                  .condition()
                  .walk(
                      part -> {
                        if (part instanceof Expr.OtherKey other) {
                          others.add(other.key());
                        }
                        if (part instanceof Expr.Fresh(Expr asked, var at)) {
                          fresh.add(
                              asked instanceof Expr.OtherKey other ? other.key() : entry.key());
                        }
                      });
            }
            inputs.add(new Input(of, entry.key(), entry.attribute(), fresh.contains(entry.key())));
            others.forEach(key -> inputs.add(new Input(of, key, false, fresh.contains(key))));
          }
        });
    return inputs;
  }

  // Tarjan's algorithm without recursion: chains of super metrics may be long.

  private void sort() {
    Map<UUID, int[]> numbers = new HashMap<>(); // number, lowest reachable
    Deque<UUID> open = new ArrayDeque<>();
    Set<UUID> onStack = new HashSet<>();
    int[] next = {0};
    for (UUID start : reads.keySet()) {
      if (numbers.containsKey(start)) {
        continue;
      }
      Deque<UUID> path = new ArrayDeque<>();
      Map<UUID, Iterator<UUID>> remaining = new HashMap<>();
      path.push(start);
      while (!path.isEmpty()) {
        UUID id = path.peek();
        if (!numbers.containsKey(id)) {
          numbers.put(id, new int[] {next[0], next[0]});
          next[0]++;
          open.push(id);
          onStack.add(id);
          remaining.put(id, new TreeSet<>(reads.getOrDefault(id, Set.of())).iterator());
        }
        int[] mine = numbers.getOrDefault(id, new int[2]);
        Iterator<UUID> rest = remaining.getOrDefault(id, Collections.emptyIterator());
        boolean deeper = false;
        while (rest.hasNext() && !deeper) {
          UUID read = rest.next();
          int[] theirs = numbers.get(read);
          if (theirs == null) {
            path.push(read);
            deeper = true;
          } else if (onStack.contains(read)) {
            mine[1] = Math.min(mine[1], theirs[0]);
          }
        }
        if (deeper) {
          continue;
        }
        path.pop();
        if (!path.isEmpty()) {
          int[] above = numbers.getOrDefault(path.peek(), new int[2]);
          above[1] = Math.min(above[1], mine[1]);
        }
        if (mine[0] == mine[1]) {
          component(id, open, onStack);
        }
      }
    }
  }

  private void component(UUID root, Deque<UUID> open, Set<UUID> onStack) {
    Set<UUID> members = new LinkedHashSet<>();
    UUID member;
    do {
      member = open.pop();
      onStack.remove(member);
      members.add(member);
    } while (!member.equals(root));
    boolean readsItself = reads.getOrDefault(root, Set.of()).contains(root);
    if (members.size() > 1 || readsItself) {
      members.forEach(id -> cycles.put(id, Set.copyOf(members)));
    }
    order.addAll(members.stream().sorted().toList());
  }
}
