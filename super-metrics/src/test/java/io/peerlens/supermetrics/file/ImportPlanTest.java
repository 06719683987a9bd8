package io.peerlens.supermetrics.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.file.Change.Line;
import io.peerlens.supermetrics.file.Change.Line.Kind;
import io.peerlens.supermetrics.file.ImportFile.Found;
import io.peerlens.supermetrics.file.ImportPlan.Action;
import io.peerlens.supermetrics.file.ImportPlan.Item;
import io.peerlens.supermetrics.file.ImportPlan.OnConflict;
import io.peerlens.supermetrics.file.ImportPlan.State;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class ImportPlanTest {

  private static final String A = "00000000-0000-0000-0000-00000000000a";
  private static final String B = "00000000-0000-0000-0000-00000000000b";
  private static final String C = "00000000-0000-0000-0000-00000000000c";

  @Test
  void newSuperMetricsAreCreated() {
    Item item = only(List.of(), it(A, "x", "1"), OnConflict.SKIP);

    assertItem(item, State.NEW, Action.CREATE, "Neither its id nor its name is stored.");
    assertThat(item.stored()).isNull();
  }

  @Test
  void equalSuperMetricsStayUnchanged() {
    for (OnConflict choice : OnConflict.values()) {
      Item item = only(List.of(it(A, "x", "1")), it(A, "x", "1"), choice);

      assertItem(item, State.SAME, Action.SKIP, "It is stored with every field the same.");
      assertThat(item.changes()).isEmpty();
    }
  }

  @Test
  void changedSuperMetricsAreOverwrittenOrKeptAsChosen() {
    List<SuperMetric> stored = List.of(it(A, "x", "1"));

    assertItem(
        only(stored, it(A, "x", "2"), OnConflict.SKIP),
        State.CHANGED,
        Action.SKIP,
        "It is stored with other formula; the stored one is kept, as chosen.");
    assertItem(
        only(stored, it(A, "x", "2"), OnConflict.OVERWRITE),
        State.CHANGED,
        Action.OVERWRITE,
        "It is stored with other formula; the file's definition takes its place, as chosen.");
  }

  @Test
  void superMetricsAreMatchedByIdBeforeName() {
    List<SuperMetric> stored = List.of(it(A, "x", "1"), it(B, "y", "1"));

    assertItem(
        only(stored, it(A, "z", "1"), OnConflict.SKIP),
        State.CONFLICT,
        Action.SKIP,
        "The id is stored under another name, 'x'; the stored one is kept, as chosen.");
    assertItem(
        only(stored, it(A, "z", "1"), OnConflict.OVERWRITE),
        State.CONFLICT,
        Action.OVERWRITE,
        "The id is stored under another name, 'x'; the file's definition takes its place, as"
            + " chosen.");
    assertItem(
        only(stored, it(A, "y", "1"), OnConflict.OVERWRITE),
        State.CONFLICT,
        Action.SKIP,
        "The id is stored under another name, 'x', and the file's name is already that of "
            + B
            + "; rename one of the two.");
  }

  @Test
  void theHolderOfANameIsReplacedAndItsReadersAreNamed() {
    List<SuperMetric> stored =
        List.of(it(A, "x", "1"), it(B, "reader", "${this, metric=Super Metric|sm_" + A + "} + 1"));

    Item skipped = only(stored, it(C, "x", "1"), OnConflict.SKIP);
    Item replaced = only(stored, it(C, "x", "1"), OnConflict.OVERWRITE);

    assertItem(
        skipped,
        State.CONFLICT,
        Action.SKIP,
        "The name is stored under another id, " + A + "; the stored one is kept, as chosen.");
    assertItem(
        replaced,
        State.CONFLICT,
        Action.OVERWRITE,
        "The name is stored under another id, "
            + A
            + "; it is replaced by the file's, with the file's id, as chosen. Its stored values"
            + " stay under the old id. These stored formulas read the old id and will have no"
            + " data: 'reader'.");
    assertThat(replaced.stored()).isEqualTo(stored.getFirst());
    assertThat(replaced.changes()).containsExactly(new Change("id", A, C, List.of()));
  }

  @Test
  void twoNamesAreExchanged() {
    List<Item> items =
        plan(
            List.of(it(A, "x", "1"), it(B, "y", "1")),
            OnConflict.OVERWRITE,
            it(A, "y", "1"),
            it(B, "x", "1"));

    assertThat(items).extracting(Item::action).containsOnly(Action.OVERWRITE);
  }

  @Test
  void aNameFreedByTheFileGoesToANewSuperMetric() {
    List<Item> items =
        plan(List.of(it(A, "x", "1")), OnConflict.OVERWRITE, it(B, "x", "1"), it(A, "y", "1"));

    assertItem(
        items.getFirst(),
        State.NEW,
        Action.CREATE,
        "Its id is not stored, and its name becomes free: "
            + A
            + " is renamed to 'y' by this file.");
    assertThat(items.getLast().action()).isEqualTo(Action.OVERWRITE);
  }

  @Test
  void aNameInUseIsNotTaken() {
    // a wants the name of c, which the file does not have, so a keeps x, so b cannot have x
    List<Item> items =
        plan(
            List.of(it(A, "x", "1"), it(C, "z", "1")),
            OnConflict.OVERWRITE,
            it(A, "z", "1"),
            it(B, "x", "1"));

    assertThat(items).extracting(Item::action).containsOnly(Action.SKIP);
    assertThat(items.getLast().reason()).contains("cannot rename; rename one of the two");
  }

  @Test
  void theFirstOfTwoWithTheSameIdOrNameCounts() {
    List<Item> items =
        plan(
            List.of(),
            OnConflict.OVERWRITE,
            it(A, "x", "1"),
            it(A, "y", "2"),
            it(B, "x", "3"),
            it(C, "y", "4"));

    assertThat(items)
        .extracting(Item::state)
        .containsExactly(State.NEW, State.DUPLICATE, State.DUPLICATE, State.NEW);
    assertThat(items.get(1).reason())
        .isEqualTo("Its id is in the file twice, also at f.json, line 1, column 1, " + A + ".");
    assertThat(items.get(2).reason())
        .isEqualTo("Its name is in the file twice, also at f.json, line 1, column 1, " + A + ".");
  }

  @Test
  void everyDifferentFieldIsNamed() {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    SuperMetric before =
        new SuperMetric(
            UUID.fromString(A),
            List.of(new ResourceKind("V", "H")),
            1L,
            "x",
            "a\nb\nc",
            null,
            "gb",
            "me",
            Map.of("same", nodes.numberNode(1), "gone", nodes.stringNode("t")));
    SuperMetric after =
        new SuperMetric(
            UUID.fromString(A),
            List.of(new ResourceKind("V", "H"), new ResourceKind("V", "D")),
            0L,
            "y",
            "a\nB\nc ",
            "",
            null,
            "you",
            Map.of("same", nodes.numberNode(new BigDecimal("1.0")), "came", nodes.nullNode()));

    assertThat(Change.between(before, after))
        .containsExactly(
            new Change("resourceKinds", "V/H", "V/H, V/D", List.of()),
            new Change("modificationTime", "1", "0", List.of()),
            new Change("name", "x", "y", List.of()),
            new Change(
                "formula",
                "a\nb\nc",
                "a\nB\nc ",
                List.of(
                    new Line(Kind.SAME, "a"),
                    new Line(Kind.REMOVED, "b"),
                    new Line(Kind.REMOVED, "c"),
                    new Line(Kind.ADDED, "B"),
                    new Line(Kind.ADDED, "c "))),
            new Change("description", null, "", List.of()),
            new Change("unitId", "gb", null, List.of()),
            new Change("modifiedBy", "me", "you", List.of()),
            new Change("gone", "\"t\"", null, List.of()),
            new Change("came", null, "null", List.of()));
  }

  /** Carrying a plan out keeps ids and names unique and leaves nothing to do, with seed 3. */
  @Test
  void aPlanCanBeExecutedTwice() {
    Random random = new Random(3);
    int overwritten = 0;
    for (int round = 0; round < 5_000; round++) {
      List<SuperMetric> stored = new ArrayList<>();
      for (int i = 0; i < random.nextInt(5); i++) {
        stored.add(it(new UUID(0, i).toString(), "n" + i, "" + random.nextInt(2)));
      }
      SuperMetric[] file =
          random
              .ints(random.nextInt(6), 0, 7)
              .mapToObj(id -> it(new UUID(0, id).toString(), "n" + random.nextInt(7), "" + id % 2))
              .toArray(SuperMetric[]::new);
      OnConflict choice = OnConflict.values()[random.nextInt(2)];

      List<Item> items = plan(stored, choice, file);
      Map<UUID, SuperMetric> after = carryOut(stored, items);

      assertThat(after.values().stream().map(SuperMetric::name)).doesNotHaveDuplicates();
      overwritten += (int) items.stream().filter(it -> it.action() == Action.OVERWRITE).count();
      for (Item item : items) {
        if (item.action() != Action.SKIP || item.state() == State.SAME) {
          SuperMetric it = item.found().definition();
          assertThat(after.get(it.id())).isEqualTo(it);
        }
      }
      if (choice == OnConflict.SKIP) {
        assertThat(after.values()).containsAll(stored);
      }
    }
    assertThat(overwritten).isGreaterThan(1_000);
  }

  private static Map<UUID, SuperMetric> carryOut(List<SuperMetric> stored, List<Item> items) {
    Map<UUID, SuperMetric> after = new HashMap<>();
    stored.forEach(it -> after.put(it.id(), it));
    for (Item item : items) {
      SuperMetric old = item.stored();
      if (item.action() == Action.OVERWRITE && old != null) {
        after.remove(old.id());
      }
    }
    for (Item item : items) {
      if (item.action() != Action.SKIP) {
        SuperMetric it = item.found().definition();
        assertThat(after.put(it.id(), it)).isNull();
      }
    }
    return after;
  }

  @Test
  void longFormulasAreComparedInBoundedTime() {
    String before = String.join("\n", IntStream.range(0, 30_000).mapToObj(i -> "a" + i).toList());
    String after = String.join("\n", IntStream.range(0, 30_000).mapToObj(i -> "b" + i).toList());

    assertThat(LineDiff.between("x\n" + before + "\ny", "x\n" + after + "\ny"))
        .hasSize(60_002)
        .startsWith(new Line(Kind.SAME, "x"), new Line(Kind.REMOVED, "a0"))
        .endsWith(new Line(Kind.ADDED, "b29999"), new Line(Kind.SAME, "y"));
  }

  private static Item only(List<SuperMetric> stored, SuperMetric file, OnConflict choice) {
    return plan(stored, choice, file).getFirst();
  }

  private static List<Item> plan(List<SuperMetric> stored, OnConflict choice, SuperMetric... file) {
    List<Found> found = new ArrayList<>();
    for (SuperMetric it : file) {
      found.add(
          new Found(it, new Place("f.json", it.id().toString(), found.size() + 1, 1), List.of()));
    }
    ImportPlan plan = ImportPlan.of(stored, found, choice);
    assertThat(plan.items()).extracting(Item::found).containsExactlyElementsOf(found);
    return plan.items();
  }

  private static SuperMetric it(String id, String name, String formula) {
    return new SuperMetric(
        UUID.fromString(id), List.of(), null, name, formula, null, null, null, Map.of());
  }

  private static void assertItem(Item item, State state, Action action, String reason) {
    assertThat(item.reason()).isEqualTo(reason);
    assertThat(item.state()).isEqualTo(state);
    assertThat(item.action()).isEqualTo(action);
  }
}
