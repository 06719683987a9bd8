package io.peerlens.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.frame.MetricSets.Sets;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of changes alone is what reading all of it would give. */
class InventoryDifferenceIT {

  private static final List<ObjectKind> KINDS =
      List.of(
          new ObjectKind("VMWARE", "VirtualMachine"),
          new ObjectKind("VMWARE", "HostSystem"),
          new ObjectKind("OTHER", "Thing"));
  private static final List<String> KEYS = List.of("config|name", "size", "place", "none");

  private SampleData data;
  private Frames frames;

  @BeforeEach
  void start() {
    data = SampleData.create();
    frames =
        new Frames(
            data.jdbc(),
            new SampleReader(data.dataSource()),
            new LevelStates(data.jdbc()),
            new FrameProperties(Duration.ofHours(1), 1_000_000),
            Duration.ofMinutes(10));
  }

  @AfterEach
  void stop() {
    data.close();
  }

  private void changed(boolean objects, boolean sets) {
    data.sql(
        "update inventory_version set version = version + %d, sets_version = sets_version + %d"
            .formatted(objects ? 1 : 0, sets ? 1 : 0));
  }

  private int object(ObjectKind kind, String name) {
    return data.object(kind.adapterKind(), kind.objectKind(), name);
  }

  /** All that an inventory and its sets tell, so that two can be compared. */
  private static TreeMap<String, Object> told(Frames.Known known) {
    TreeMap<String, Object> told = new TreeMap<>();
    ObjectGraph graph = known.inventory().graph();
    told.put("kinds", graph.kinds());
    for (ObjectKind kind : KINDS) {
      List<String> objects = new ArrayList<>();
      for (int i = 0; i < graph.count(kind); i++) {
        int id = graph.id(kind, i);
        objects.add(
            "%d %s above %s below %s"
                .formatted(
                    id,
                    graph.name(kind, i),
                    sorted(graph.parents(id, 1000)),
                    sorted(graph.children(id, 1000))));
      }
      told.put("objects of " + kind, objects);
      for (String key : KEYS) {
        Column column = known.inventory().property(kind, key);
        told.put(
            kind + " " + key,
            column == null
                ? "none"
                : Arrays.toString(column.texts()) + Arrays.toString(column.numbers()));
      }
      for (Group group : known.sets().groups(kind)) {
        for (Set<String> instances : Arrays.asList(null, Set.of(""), Set.of("a", "b"))) {
          Sets sets = known.sets().sets(group, instances);
          told.put(
              group.name() + " " + instances,
              Arrays.toString(sets.ids())
                  + Arrays.toString(sets.objects())
                  + Arrays.toString(sets.instances())
                  + group.positions());
        }
      }
    }
    return told;
  }

  private static List<Integer> sorted(int[] ids) {
    return Arrays.stream(ids).sorted().boxed().toList();
  }

  private TreeMap<String, Object> readWhole() {
    Inventory inventory = Inventory.read(0, data.jdbc());
    return told(new Frames.Known(inventory, MetricSets.read(0, inventory, data.jdbc())));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void isWhatReadingAllOfItGives(long seed) {
    Random random = new Random(seed);
    List<Integer> ids = new ArrayList<>();
    List<Integer> groups = new ArrayList<>();
    for (ObjectKind kind : KINDS) {
      groups.add(data.group(kind.adapterKind(), kind.objectKind(), "g", List.of("m")));
      for (int i = 0; i < 4; i++) {
        ids.add(object(kind, kind.objectKind() + i));
      }
    }
    assertThat(told(frames.known())).isEqualTo(readWhole());
    for (int step = 0; step < 60; step++) {
      for (int some = random.nextInt(3); some >= 0; some--) {
        change(random, ids, groups, step * 10 + some);
      }
      changed(true, true);
      Frames.Known known = frames.known();
      assertThat(told(known)).as("step " + step).isEqualTo(readWhole());
      Inventory whole = Inventory.read(0, data.jdbc());
      for (ObjectKind kind : KINDS) {
        // Names that no object has any more may be among them.
        assertThat(known.inventory().propertyKeys(kind)).containsAll(whole.propertyKeys(kind));
      }
    }
  }

  private void change(Random random, List<Integer> ids, List<Integer> groups, int number) {
    int id = ids.get(random.nextInt(ids.size()));
    int other = ids.get(random.nextInt(ids.size()));
    switch (random.nextInt(10)) {
      case 0 -> ids.add(object(KINDS.get(random.nextInt(3)), "new" + number));
      case 1 -> data.sql("update object set name = 'n%d' where id = %d".formatted(number, id));
      case 2, 3 ->
          data.sql(
              "update object set properties = properties || jsonb_build_object('%s', '%d') where id = %d"
                  .formatted(random.nextBoolean() ? "size" : "place", number, id));
      case 4 ->
          data.sql(
              "update object set properties = properties || jsonb_build_object('config|name', 'p%d') where id = %d"
                  .formatted(number, id));
      case 5 -> data.sql("update object set removed_at = now() where id = " + id);
      case 6 -> data.sql("update object set removed_at = null where id = " + id);
      case 7 ->
          data.sql(
              "insert into relation (parent_id, child_id) values (%d, %d) on conflict do nothing"
                  .formatted(id, other));
      case 8 ->
          data.sql("delete from relation where parent_id = %d or child_id = %d".formatted(id, id));
      default -> {
        int group = random.nextInt(3);
        String instance = List.of("", "a", "c" + number).get(random.nextInt(3));
        data.sql(
            """
            insert into metric_set (object_id, group_id, instance)
            select id, %d, '%s' from object
            where id = %d and object_kind = '%s' on conflict do nothing
            """
                .formatted(groups.get(group), instance, id, KINDS.get(group).objectKind()));
      }
    }
  }

  @Test
  void aPropertyLeavesTheGraphAndTheSetsAsTheyAre() {
    ObjectKind kind = KINDS.getFirst();
    int id = object(kind, "vm");
    int group = data.group(kind.adapterKind(), kind.objectKind(), "g", List.of("m"));
    data.set(id, group, "");
    data.sql("update object set properties = '{\"size\": \"1\", \"place\": \"here\"}'");
    Frames.Known before = frames.known();
    Group known = before.sets().groups(kind).getFirst();
    Sets sets = before.sets().sets(known, null);
    Column place = before.inventory().property(kind, "place");
    assertThat(before.inventory().property(kind, "size").numbers()).containsExactly(1);
    data.sql("update object set properties = properties || '{\"size\": \"2\"}'");
    changed(true, false);
    Frames.Known after = frames.known();
    assertThat(after.inventory().graph()).isSameAs(before.inventory().graph());
    assertThat(after.sets().sets(known, null)).isSameAs(sets);
    assertThat(after.inventory().property(kind, "place")).isSameAs(place);
    assertThat(after.inventory().property(kind, "size").numbers()).containsExactly(2);
    assertThat(before.inventory().property(kind, "size").numbers())
        .as("as before")
        .containsExactly(1);
    assertThat(frames.known()).isSameAs(after);
  }

  @Test
  void whatIsDeletedIsGone() {
    ObjectKind kind = KINDS.getFirst();
    int group = data.group(kind.adapterKind(), kind.objectKind(), "g", List.of("m"));
    for (int i = 0; i < 3; i++) {
      data.set(object(kind, "vm" + i), group, "");
    }
    changed(true, true);
    assertThat(told(frames.known())).isEqualTo(readWhole());
    data.sql("delete from object where name = 'vm1'");
    changed(true, true);
    assertThat(frames.objects().count(kind)).isEqualTo(2);
    assertThat(told(frames.known())).isEqualTo(readWhole());
    data.sql("truncate object cascade");
    changed(true, true);
    assertThat(frames.objects().size()).isZero();
  }

  @Test
  void whatIsCommittedLaterThanItWasChangedIsSeen() throws Exception {
    ObjectKind kind = KINDS.getFirst();
    int first = object(kind, "first");
    int second = object(kind, "second");
    frames.known();
    try (var connection = data.dataSource().getConnection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("update object set name = 'later' where id = " + first);
      data.sql("update object set name = 'sooner' where id = " + second);
      changed(true, false);
      assertThat(frames.objects().name(kind, 1)).isEqualTo("sooner");
      statement.execute("update inventory_version set version = version + 1");
      connection.commit();
      connection.setAutoCommit(true);
    }
    assertThat(frames.objects().name(kind, 0)).isEqualTo("later");
  }

  @Test
  void aRecordThatSaysNothingNewIsNoChange() {
    int id = object(KINDS.getFirst(), "vm");
    data.sql("delete from inventory_change");
    data.sql("update object set record_time = now(), name = name where id = " + id);
    assertThat(
            data.jdbc().sql("select count(*) from inventory_change").query(Integer.class).single())
        .isZero();
    data.sql("update object set name = 'other' where id = " + id);
    assertThat(
            data.jdbc().sql("select object_id from inventory_change").query(Integer.class).list())
        .containsExactly(id);
  }
}
