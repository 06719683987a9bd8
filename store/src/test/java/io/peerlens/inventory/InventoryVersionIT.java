package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.Metric;
import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.key.SetKey;
import io.peerlens.support.SampleData;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which calls of the catalog count up which number of {@code inventory_version}, and by how much.
 */
class InventoryVersionIT {

  private static final ObjectKey VM = new ObjectKey("TEST", "VirtualMachine", "vm-1");
  private static final ObjectKey OTHER_VM = new ObjectKey("TEST", "VirtualMachine", "vm-2");
  private static final ObjectKey HOST = new ObjectKey("TEST", "HostSystem", "host-1");
  private static final ObjectReference ON_HOST =
      new ObjectReference(ObjectReference.Role.PARENT, "TEST", "HostSystem", "esx-1");
  private static final ObjectReference ON_NOBODY =
      new ObjectReference(ObjectReference.Role.PARENT, "TEST", "HostSystem", "esx-2");
  private static final ObjectAttributes PLAIN =
      new ObjectAttributes("web", null, Map.of("guest", "rhel"), Map.of("tier", "web"), Set.of());

  private SampleData data = SampleData.create();
  private InventoryCatalog catalog = new InventoryCatalog(data.dataSource());
  private long time = 1_000_000;

  private record Versions(long graph, long sets) {}

  private Versions versions() {
    return data.jdbc()
        .sql("select version, sets_version from inventory_version")
        .query((row, number) -> new Versions(row.getLong(1), row.getLong(2)))
        .single();
  }

  private Catalog.NewSet set(ObjectKey object, ObjectAttributes attributes, String group) {
    return new Catalog.NewSet(new SetKey(object, group, ""), attributes, time++, false);
  }

  private Catalog.Answer apply(int maxNewObjects, Catalog.NewSet... sets) {
    return catalog.apply(request(maxNewObjects, Map.of(), sets));
  }

  private static Catalog.Request request(
      int maxNewObjects, Map<GroupKey, List<Metric>> metrics, Catalog.NewSet... sets) {
    return new Catalog.Request(List.of(sets), metrics, List.of(), maxNewObjects, 100, 100);
  }

  @BeforeEach
  void oneMachine() {
    assertThat(versions()).isEqualTo(new Versions(0, 0));
    apply(9, set(VM, PLAIN, "cpu"));
    assertThat(versions()).isEqualTo(new Versions(1, 1));
  }

  @AfterEach
  void close() {
    data.close();
  }

  @Test
  void knownEntriesDoNotChangeTheVersion() {
    apply(9, set(VM, PLAIN, "cpu"));
    assertThat(versions()).isEqualTo(new Versions(1, 1));
  }

  @Test
  void aCallCountsOnceHoweverMuchItChanges() {
    apply(
        9,
        set(OTHER_VM, PLAIN, "cpu"),
        set(OTHER_VM, PLAIN, "mem"),
        set(HOST, PLAIN, "cpu"),
        set(VM, told("db", Map.of(), Map.of(), Set.of()), "net"));
    assertThat(versions()).isEqualTo(new Versions(2, 2));
  }

  @Test
  void setsGroupsAndMetricNamesCountByThemselves() {
    apply(9, set(VM, PLAIN, "mem"));
    assertThat(versions()).isEqualTo(new Versions(1, 2));
    GroupKey cpu = new GroupKey("TEST", "VirtualMachine", "cpu");
    Map<GroupKey, List<Metric>> usage = Map.of(cpu, List.of(new Metric("usage_average", "%")));
    catalog.apply(request(9, usage));
    assertThat(versions()).isEqualTo(new Versions(1, 3));
    catalog.apply(request(9, usage));
    assertThat(versions()).isEqualTo(new Versions(1, 3));
  }

  @Test
  void namesPropertiesAndTagsCount() {
    tell(told("shop-web", Map.of(), Map.of(), Set.of()));
    assertThat(versions()).isEqualTo(new Versions(2, 1));
    tell(told("shop-web", Map.of("guest", "debian"), Map.of(), Set.of()));
    assertThat(versions()).isEqualTo(new Versions(3, 1));
    tell(told("shop-web", Map.of(), Map.of("app", "shop"), Set.of()));
    assertThat(versions()).isEqualTo(new Versions(4, 1));
    tell(told("shop-web", Map.of("guest", "debian"), Map.of("app", "shop"), Set.of()));
    assertThat(versions()).isEqualTo(new Versions(4, 1));
  }

  @Test
  void relationsCountWhenTheyComeAndWhenTheyGo() {
    ObjectAttributes onHost = told("web", Map.of(), Map.of(), Set.of(ON_HOST));
    tell(onHost);
    assertThat(versions()).as("nobody is called esx-1 yet").isEqualTo(new Versions(1, 1));
    apply(9, set(HOST, PLAIN, "cpu"));
    assertThat(versions()).as("a host without a locator").isEqualTo(new Versions(2, 2));
    ObjectAttributes esx1 =
        new ObjectAttributes("web", "esx-1", Map.of(), Map.of(), Set.<ObjectReference>of());
    apply(9, set(HOST, esx1, "cpu"));
    assertThat(data.jdbc().sql("select count(*) from relation").query(Long.class).single())
        .isEqualTo(1);
    assertThat(versions()).as("the host tells its locator").isEqualTo(new Versions(3, 2));
    tell(onHost);
    assertThat(versions()).isEqualTo(new Versions(3, 2));
    tell(told("web", Map.of(), Map.of(), Set.of(ON_NOBODY)));
    assertThat(data.jdbc().sql("select count(*) from relation").query(Long.class).single())
        .isZero();
    assertThat(versions()).as("moved to where nobody is known").isEqualTo(new Versions(4, 2));
  }

  @Test
  void entriesThatAreNotStoredDoNotChangeTheVersion() {
    catalog.pretend(request(9, Map.of(), set(OTHER_VM, PLAIN, "cpu")));
    apply(0, set(OTHER_VM, PLAIN, "cpu"));
    assertThat(versions()).isEqualTo(new Versions(1, 1));
  }

  private static ObjectAttributes told(
      String name,
      Map<String, String> properties,
      Map<String, String> tags,
      Set<ObjectReference> references) {
    return new ObjectAttributes(name, null, properties, tags, references);
  }

  /** As from a series known already: an update of the machine's attributes. */
  private void tell(ObjectAttributes attributes) {
    int id =
        data.jdbc()
            .sql("select id from object where uuid = ?")
            .param(VM.uuid())
            .query(Integer.class)
            .single();
    catalog.apply(
        new Catalog.Request(
            List.of(),
            Map.of(),
            List.of(new Catalog.AttributeUpdate(id, ObjectReport.ofLine(attributes), time++)),
            9,
            9,
            9));
  }
}
