package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.store.TimescaleSampleStore;
import io.peerlens.support.SampleData;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What records in our own form and the lines of two collectors make of one inventory. */
class ObjectRecordsIT {

  private static final Instant T = Instant.parse("2026-11-21T00:08:00Z");

  private final SampleData data = SampleData.create();
  private final InventoryCatalog catalog = new InventoryCatalog(data.dataSource());
  private final TimescaleSampleStore samples =
      new TimescaleSampleStore(
          data.dataSource(), "test", Duration.ofMinutes(10), () -> T.plusSeconds(3_600));
  private RecordDecoder decoder = decoder();
  private long offset;

  @AfterEach
  void close() {
    data.close();
  }

  private RecordDecoder decoder() {
    return new RecordDecoder(
        Mappings.shipped(),
        catalog,
        () -> IngestGuards.DEFAULT,
        TimePrecision.NS,
        () -> T.plusSeconds(3_600));
  }

  private void read(String... records) {
    List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
    for (String record : records) {
      batch.add(
          new ConsumerRecord<>(
              "metrics", 0, offset++, null, record.getBytes(StandardCharsets.UTF_8)));
    }
    SampleBatch into = new SampleBatch();
    Map<TopicPartition, Long> positions =
        samples.positions(List.of(new TopicPartition("metrics", 0)));
    decoder.decode(batch, positions, into);
    assertThat(into.deadLetters()).isEmpty();
    samples.write(into);
  }

  /** Another node, or this one after a restart. */
  private void restart() {
    decoder = decoder();
  }

  private static String record(long seconds, String kind, String id, String members) {
    return "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"%s\",\"id\":\"vc/%s\",\"time\":\"%s\",%s}"
        .formatted(kind, id, T.plusSeconds(seconds), members);
  }

  private static String host(long seconds, String id, String name) {
    return record(
        seconds,
        "HostSystem",
        id,
        "\"name\":\"%s\",\"locator\":\"vc/DC0/%s\"".formatted(name, name));
  }

  private static String vm(long seconds, String host, String more) {
    return record(
        seconds,
        "VirtualMachine",
        "vm-7",
        "\"name\":\"web1\",\"locator\":\"vc/DC0/web1\",\"properties\":{\"guest\":\"Linux\"%s},\"parents\":[{\"objectKind\":\"HostSystem\",\"id\":\"vc/%s\"}]"
            .formatted(more, host));
  }

  private static String telegraf(long seconds, String host) {
    return "vsphere_vm_cpu,cpu=instance-total,dcname=DC0,esxhostname=%s,guest=rhel8_64,moid=vm-7,vcenter=vc,vmname=web1 usage_average=1 %d000000000\n"
        .formatted(host, T.plusSeconds(seconds).getEpochSecond());
  }

  private static String ours(long seconds) {
    return "vcenter_vm_cpu,moid=vm-7,vcenter=vc usage_average=2 %d000000000\n"
        .formatted(T.plusSeconds(seconds).getEpochSecond());
  }

  private List<String> texts(String sql) {
    return data.jdbc().sql(sql).query(String.class).list();
  }

  private long count(String table) {
    return data.jdbc().sql("select count(*) from " + table).query(Long.class).single();
  }

  /** Relations of the machine, with the kind of the parent. */
  private List<String> parents() {
    return texts(
        """
        select p.object_kind || ' ' || p.name from relation r
        join object p on p.id = r.parent_id join object c on c.id = r.child_id
        where c.external_id = 'vc/vm-7' order by 1
        """);
  }

  private List<String> history() {
    return texts(
        """
        select extract(epoch from c.time - timestamptz '2026-11-21 00:08:00Z')::int || ' ' || kind
               || coalesce(' ' || key, '') || ': ' || coalesce(old_value, 'none') || ' -> ' || coalesce(new_value, 'none')
        from object_change c join object o on o.id = c.object_id
        where o.external_id = 'vc/vm-7' order by c.id
        """);
  }

  @Test
  void recordsMakeObjectsAndRelationsAndNoGroupsOrSets() {
    read(vm(0, "host-1", ""), host(0, "host-1", "esx1"));
    assertThat(count("object")).isEqualTo(2);
    assertThat(count("metric_group")).isZero();
    assertThat(count("metric_set")).isZero();
    assertThat(parents()).containsExactly("HostSystem esx1");
    assertThat(history()).containsExactly("0 new: none -> web1");
    assertThat(data.jdbc().sql("select version from inventory_version").query(Long.class).single())
        .isEqualTo(1);
    assertThat(texts("select last_seen::text from object_liveness")).hasSize(2);
  }

  @Test
  void aPropertyATagAndAParentThatAreTakenAwayAreInTheHistory() {
    read(host(0, "host-1", "esx1"), vm(0, "host-1", ",\"snapshot|age\":\"3\",\"note\":\"x\""));
    read(record(60, "VirtualMachine", "vm-7", "\"tags\":{\"tier\":\"web\"}"));
    read(
        record(
            120,
            "VirtualMachine",
            "vm-7",
            "\"properties\":{\"snapshot|age\":null},\"tags\":{\"tier\":null},\"parents\":[{\"objectKind\":\"HostSystem\",\"id\":null}]"));
    restart();
    read(record(180, "VirtualMachine", "vm-7", "\"properties\":{\"snapshot|age\":1,\"new\":1}"));
    assertThat(history())
        .containsExactly(
            "0 new: none -> web1",
            "60 tag tier: none -> web",
            "120 property snapshot|age: 3 -> none",
            "120 tag tier: web -> none",
            "120 placement HostSystem: esx1 -> none",
            "180 property snapshot|age: none -> 1");
    assertThat(parents()).isEmpty();
    assertThat(count("object_reference")).isZero();
    assertThat(texts("select properties ->> 'note' from object where external_id = 'vc/vm-7'"))
        .containsExactly("x");
  }

  @Test
  void theHistoryOfPlacementsHasNamesHoweverParentsAreNamed() {
    read(
        host(0, "host-1", "esx1"),
        host(0, "host-2", "esx2"),
        record(
            0,
            "VirtualMachine",
            "vm-7",
            "\"parents\":[{\"objectKind\":\"HostSystem\",\"id\":\"vc/host-1\"}]"));
    String by = "\"parents\":[{\"objectKind\":\"HostSystem\",\"id\":\"%s\"}]";
    read(record(60, "VirtualMachine", "vm-7", by.formatted("vc/DC0/esx1")));
    assertThat(parents()).containsExactly("HostSystem esx1");
    read(record(120, "VirtualMachine", "vm-7", by.formatted("vc/DC0/esx2")));
    read(record(180, "VirtualMachine", "vm-7", by.formatted("vc/host-2")));
    read(record(240, "VirtualMachine", "vm-7", by.formatted("vc/host-9")));
    assertThat(history())
        .containsExactly(
            "0 new: none -> vc/vm-7",
            "120 placement HostSystem: esx1 -> esx2",
            "240 placement HostSystem: esx2 -> host-9");
  }

  @Test
  void severalParentsOfAKindComeAndGoByThemselves() {
    String networks = "\"parents\":[%s]";
    String one = "{\"objectKind\":\"Network\",\"id\":\"vc/n-%d\"}";
    read(
        record(0, "Network", "n-1", "\"name\":\"blue\""),
        record(0, "Network", "n-2", "\"name\":\"red\""),
        record(0, "Network", "n-3", "\"name\":\"green\""),
        record(0, "VirtualMachine", "vm-7", "\"name\":\"web1\""));
    read(
        record(
            60,
            "VirtualMachine",
            "vm-7",
            networks.formatted(one.formatted(1) + "," + one.formatted(2))));
    assertThat(parents()).containsExactly("Network blue", "Network red");
    read(
        record(
            120,
            "VirtualMachine",
            "vm-7",
            networks.formatted(one.formatted(2) + "," + one.formatted(3))));
    read(record(180, "VirtualMachine", "vm-7", networks.formatted(one.formatted(3))));
    assertThat(history())
        .containsExactly(
            "0 new: none -> web1",
            "120 placement Network: blue -> green",
            "180 placement Network: red -> none");
  }

  @Test
  void aMachineOfTwoFeedersIsOneObjectWithOneSeriesAndACalmHistory() {
    read(host(0, "host-1", "esx1"), host(0, "host-2", "esx2"));
    read(telegraf(0, "esx1"), vm(3, "host-1", ",\"snapshot|age\":\"3\""), ours(10));
    for (int i = 1; i <= 5; i++) {
      if (i == 3) {
        restart();
      }
      read(telegraf(i * 20, "esx1"), vm(i * 20 + 3, "host-1", ",\"snapshot|age\":\"3\""));
      read(ours(i * 20 + 10), telegraf(i * 20 + 5, "esx1"));
    }
    assertThat(history()).containsExactly("0 new: none -> web1");
    assertThat(count("metric_set")).isEqualTo(1);
    assertThat(parents()).containsExactly("HostSystem esx1");

    // It moves: one collector sees it some seconds before the other.
    read(telegraf(140, "esx2"));
    read(vm(143, "host-2", ",\"snapshot|age\":\"3\""), telegraf(140, "esx2"), ours(150));
    restart();
    read(telegraf(160, "esx2"), vm(163, "host-2", ",\"snapshot|age\":\"3\""));
    assertThat(history())
        .containsExactly("0 new: none -> web1", "143 placement HostSystem: esx1 -> esx2");
    assertThat(parents()).containsExactly("HostSystem esx2");
    assertThat(texts("select properties ->> 'guest' from object where external_id = 'vc/vm-7'"))
        .containsExactly("Linux");
    assertThat(
            texts(
                "select properties ->> 'config|guestId' from object where external_id = 'vc/vm-7'"))
        .containsExactly("rhel8_64");
  }

  @Test
  void twoNodesThatReadAFeederEachAgree() {
    read(host(0, "host-1", "esx1"), vm(3, "host-1", ""));
    RecordDecoder one = decoder;
    restart();
    RecordDecoder other = decoder;
    for (int i = 1; i <= 4; i++) {
      decoder = other;
      read(telegraf(i * 20, "esx1"), telegraf(i * 20, "esx" + i));
      decoder = one;
      read(vm(i * 20 + 3, "host-1", ",\"n\":" + i));
    }
    assertThat(history())
        .containsExactly(
            "3 new: none -> web1",
            "43 property n: 1 -> 2",
            "63 property n: 2 -> 3",
            "83 property n: 3 -> 4");
    assertThat(parents()).containsExactly("HostSystem esx1");
  }

  @Test
  void anObjectThatALineMadeFirstIsCompleted() {
    read(host(0, "host-1", "esx1"));
    read(ours(0));
    read(vm(-2, "host-1", ""));
    assertThat(texts("select locator from object where external_id = 'vc/vm-7'"))
        .containsExactly("vc/DC0/web1");
    assertThat(parents()).containsExactly("HostSystem esx1");
    assertThat(history()).containsExactly("0 new: none -> web1");
  }

  private static String gone(long seconds, String kind, String id) {
    return record(seconds, kind, id, "\"gone\":true");
  }

  private static String gone(long seconds) {
    return gone(seconds, "VirtualMachine", "vm-7");
  }

  /** Seconds from the start to when each machine was removed. */
  private List<String> removed() {
    return texts(
        """
        select external_id || ' ' || extract(epoch from removed_at - timestamptz '2026-11-21 00:08:00Z')::int
        from object where removed_at is not null order by 1
        """);
  }

  private long version() {
    return data.jdbc().sql("select version from inventory_version").query(Long.class).single();
  }

  @Test
  void anObjectThatItsSourceRemovedHasNoRelationsAndKeepsItsReferences() {
    read(host(0, "host-1", "esx1"), vm(0, "host-1", ""));
    long before = version();
    read(gone(60));
    assertThat(removed()).containsExactly("vc/vm-7 60");
    assertThat(history())
        .containsExactly("0 new: none -> web1", "60 removed: reporting -> removed");
    assertThat(parents()).isEmpty();
    assertThat(count("object_reference")).isEqualTo(1);
    assertThat(count("last_relation")).isEqualTo(1);
    assertThat(version()).isEqualTo(before + 1);

    // The same is read again, and told again later: it stays removed since then.
    restart();
    read(gone(60));
    read(gone(90));
    assertThat(removed()).containsExactly("vc/vm-7 60");
    assertThat(history()).hasSize(2);
    assertThat(version()).isEqualTo(before + 1);
  }

  @Test
  void anObjectWhoseSamplesComeBeforeItsRecordIsNewWithItsNameAndCameFromNowhere() {
    read(host(0, "host-1", "esx1"), host(0, "host-2", "esx2"), ours(10));
    assertThat(history()).containsExactly("10 new: none -> vc/vm-7");
    read(vm(20, "host-1", ""));
    assertThat(history()).containsExactly("10 new: none -> web1");
    read(vm(30, "host-2", ""));
    assertThat(history())
        .containsExactly("10 new: none -> web1", "30 placement HostSystem: esx1 -> esx2");
  }

  @Test
  void aPropertyWithTwoKeysHasOneEntry() {
    String both = ",\"config|hardware|numCpu\":\"%1$d\",\"config|hardware|num_Cpu\":\"%1$d\"";
    read(host(0, "host-1", "esx1"), vm(0, "host-1", both.formatted(2)));
    read(vm(10, "host-1", both.formatted(4)));
    assertThat(history())
        .containsExactly("0 new: none -> web1", "10 property config|hardware|numCpu: 2 -> 4");
    read(vm(20, "host-1", ",\"summary|runtime|powerState\":\"Powered On\""));
    read(vm(30, "host-1", ",\"summary|runtime|powerState\":\"Powered Off\""));
    assertThat(history()).last().asString().contains("summary|runtime|powerState: Powered On");
  }

  @Test
  void anObjectThatWasNeverKnownIsNotMadeByBeingRemoved() {
    read(gone(0), gone(0, "HostSystem", "host-1"));
    assertThat(count("object")).isZero();
    assertThat(count("object_change")).isZero();
    assertThat(version()).isZero();
  }

  @Test
  void lateNewsFromBeforeTheRemovalDoNotBringAnObjectBack() {
    read(host(0, "host-1", "esx1"), vm(0, "host-1", ""), telegraf(0, "esx1"));
    read(gone(60));
    restart();
    read(telegraf(40, "esx1"), vm(50, "host-1", ",\"snapshot|age\":\"3\""));
    read(telegraf(60, "esx1"));
    assertThat(removed()).containsExactly("vc/vm-7 60");
    assertThat(parents()).isEmpty();
    assertThat(texts("select properties ->> 'snapshot|age' from object where name = 'web1'"))
        .as("as it was at last")
        .containsExactly("3");
  }

  @Test
  void aNewerLineOrRecordBringsAnObjectBackWithItsRelations() {
    read(host(0, "host-1", "esx1"), vm(0, "host-1", ""));
    read(gone(60));
    long before = version();
    read(telegraf(80, "esx1"));
    assertThat(removed()).isEmpty();
    assertThat(parents()).containsExactly("HostSystem esx1");
    assertThat(version()).isGreaterThan(before);
    read(gone(100));
    assertThat(removed()).containsExactly("vc/vm-7 100");
    read(record(101, "VirtualMachine", "vm-7", "\"name\":\"web1\""));
    assertThat(removed()).isEmpty();
    assertThat(parents()).containsExactly("HostSystem esx1");
    assertThat(history())
        .containsExactly(
            "0 new: none -> web1",
            "60 removed: reporting -> removed",
            "80 removed: removed -> reporting",
            "100 removed: reporting -> removed",
            "101 removed: removed -> reporting");
  }

  @Test
  void anotherNodeThatDoesNotKnowOfTheRemovalBringsAnObjectBack() {
    read(host(0, "host-1", "esx1"), telegraf(0, "esx1"));
    RecordDecoder lines = decoder;
    restart();
    read(gone(60));
    assertThat(removed()).containsExactly("vc/vm-7 60");
    decoder = lines;
    read(telegraf(40, "esx1"));
    assertThat(removed()).containsExactly("vc/vm-7 60");
    read(telegraf(80, "esx1"));
    assertThat(removed()).isEmpty();
    assertThat(parents()).containsExactly("HostSystem esx1");
  }

  @Test
  void aRemovalThatIsOlderThanTheNewestSignOfLifeComesTooLate() {
    read(host(0, "host-1", "esx1"), vm(0, "host-1", ""), telegraf(60, "esx1"));
    restart();
    read(gone(59));
    assertThat(removed()).isEmpty();
    read(record(120, "VirtualMachine", "vm-7", "\"name\":\"web2\""));
    restart();
    read(gone(119));
    assertThat(removed()).isEmpty();
    assertThat(parents()).containsExactly("HostSystem esx1");
    read(gone(120));
    assertThat(removed()).containsExactly("vc/vm-7 120");
  }

  @Test
  void aMachineThatIsRemovedAndMadeAnewUnderItsNameGetsItsLocator() {
    read(host(0, "host-1", "esx1"), vm(0, "host-1", ""));
    read(record(0, "VirtualMachine", "vm-9", "\"name\":\"web2\",\"locator\":\"vc/DC0/web2\""));
    read(gone(60, "VirtualMachine", "vm-9"));
    // The older one takes over the name that the newer one left.
    read(record(70, "VirtualMachine", "vm-7", "\"name\":\"web2\",\"locator\":\"vc/DC0/web2\""));
    assertThat(texts("select external_id from object where locator = 'vc/DC0/web2'"))
        .containsExactly("vc/vm-7");
  }

  @Test
  void aHostThatIsRemovedIsTheParentOfNobody() {
    read(host(0, "host-1", "esx1"), vm(0, "host-1", ""));
    read(gone(60, "HostSystem", "host-1"));
    assertThat(parents()).isEmpty();
    assertThat(history()).as("the machine itself has not moved").hasSize(1);
    read(host(70, "host-1", "esx1"));
    assertThat(parents()).containsExactly("HostSystem esx1");
  }

  @Test
  void aChildThatLeavesIsNoLongerRelated() {
    String children = "\"children\":[%s]";
    String one = "{\"objectKind\":\"Datastore\",\"id\":\"vc/ds-%d\"}";
    String related =
        "select c.name from relation r join object c on c.id = r.child_id where c.object_kind = 'Datastore' order by 1";
    read(
        record(0, "Datastore", "ds-1", "\"name\":\"gold\""),
        record(0, "Datastore", "ds-2", "\"name\":\"silver\""),
        record(
            0,
            "VirtualMachine",
            "vm-7",
            children.formatted(one.formatted(1) + "," + one.formatted(2))));
    assertThat(texts(related)).containsExactly("gold", "silver");
    restart();
    read(record(60, "VirtualMachine", "vm-7", children.formatted(one.formatted(2))));
    assertThat(texts(related)).containsExactly("silver");
    restart();
    read(
        record(
            120,
            "VirtualMachine",
            "vm-7",
            children.formatted("{\"objectKind\":\"Datastore\",\"id\":null}")));
    assertThat(texts(related)).isEmpty();
  }

  @Test
  void aRemovedObjectDoesNotGoSilentAndReturnsOnce() {
    read(host(0, "host-1", "esx1"), vm(0, "host-1", ""));
    LivenessHistory silences =
        new LivenessHistory(
            data.jdbc(), new InventoryProperties(3, Duration.ofMinutes(5), Duration.ofMinutes(15)));
    read(gone(60));
    silences.note(T.plusSeconds(9_000), Instant.MIN);
    assertThat(history())
        .containsExactly("0 new: none -> web1", "60 removed: reporting -> removed");
    read(vm(90, "host-1", ""));
    silences.note(T.plusSeconds(9_000), Instant.MIN);
    read(gone(3_100));
    read(vm(3_200, "host-1", ""));
    silences.note(T.plusSeconds(3_201), Instant.MIN);
    assertThat(history())
        .containsExactly(
            "0 new: none -> web1",
            "60 removed: reporting -> removed",
            "90 removed: removed -> reporting",
            "90 reporting: reporting -> silent",
            "3100 removed: reporting -> removed",
            "3200 removed: removed -> reporting");
  }
}
