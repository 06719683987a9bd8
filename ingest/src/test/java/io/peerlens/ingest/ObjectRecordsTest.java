package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Records in our own form that tell of an object, alone and beside the lines of a collector. */
class ObjectRecordsTest {

  /** 2026-11-21T00:08:00Z. */
  private static final long T = 1_795_219_680_000_000L;

  private static final ObjectKey VM = new ObjectKey("VMWARE", "VirtualMachine", "vc/vm-7");

  private final Decoding d = new Decoding();

  private static String record(long seconds, String members) {
    return "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"VirtualMachine\",\"id\":\"vc/vm-7\",\"time\":%d,%s}"
        .formatted(T / 1_000 + seconds * 1_000, members);
  }

  /** What Telegraf says of the machine; {@code more} are further tags, each with a comma before. */
  private static String line(long seconds, String host, String more) {
    return "vsphere_vm_cpu,cpu=instance-total,dcname=DC0,esxhostname=%s,guest=rhel8_64,moid=vm-7,vcenter=vc,vmname=web1%s usage_average=1 %d000\n"
        .formatted(host, more, T + seconds * 1_000_000);
  }

  private static String ourLine(long seconds, String instance) {
    return "vcenter_vm_cpu,moid=vm-7,vcenter=vc%s usage_average=2 %d000\n"
        .formatted(instance, T + seconds * 1_000_000);
  }

  private static final String CONFIGURED =
      """
      "name":"web1","locator":"vc/DC0/web1",
      "properties":{"config|guestId":"rhel8_64Guest","snapshot|age":"3"},
      "tags":{"tier":"web"},
      "parents":[{"objectKind":"HostSystem","id":"vc/host-1"},{"objectKind":"Folder","id":"vc/group-v3"}]""";

  private ObjectAttributes vm() {
    return d.catalog.attributes(VM);
  }

  private static ObjectReference parent(String kind, String locator) {
    return new ObjectReference(ObjectReference.Role.PARENT, "VMWARE", kind, locator);
  }

  private int updates() {
    return d.catalog.requests().stream().mapToInt(r -> r.updates().size()).sum();
  }

  @Test
  void aRecordWithoutMetricsMakesItsObjectAndNoSet() {
    d.records(record(0, CONFIGURED));
    assertThat(d.rejections()).isEmpty();
    assertThat(vm().name()).isEqualTo("web1");
    assertThat(vm().locator()).isEqualTo("vc/DC0/web1");
    assertThat(vm().properties()).containsEntry("snapshot|age", "3").hasSize(2);
    assertThat(vm().tags()).isEqualTo(Map.of("tier", "web"));
    assertThat(vm().references())
        .containsExactlyInAnyOrder(
            parent("HostSystem", "vc/host-1"), parent("Folder", "vc/group-v3"));
    assertThat(d.catalog.sets()).isEmpty();
    assertThat(d.catalog.groups()).isEmpty();
    assertThat(d.sink.liveness()).as("it was heard of").isEqualTo(Map.of(1, T));
  }

  @Test
  void aRecordWithoutMetricsChangesItsObject() {
    d.records(record(0, CONFIGURED));
    d.records(record(300, "\"properties\":{\"snapshot|age\":4},\"metrics\":{}"));
    d.restart();
    d.records(
        record(600, "\"name\":\"web2\""),
        record(601, "\"tags\":{\"app\":\"shop\"},\"metrics\":null"));
    assertThat(d.rejections()).isEmpty();
    assertThat(vm().name()).isEqualTo("web2");
    assertThat(vm().properties()).containsEntry("snapshot|age", "4").hasSize(2);
    assertThat(vm().tags()).isEqualTo(Map.of("tier", "web", "app", "shop"));
    assertThat(d.catalog.objects()).containsExactly(VM);
    assertThat(d.sink.liveness()).isEqualTo(Map.of(1, T + 600_000_000));
  }

  @Test
  void twoRecordsOfANewObjectInOneBatchAreBothTaken() {
    d.records(
        record(0, "\"name\":\"web1\",\"properties\":{\"a\":1,\"b\":1}"),
        record(1, "\"properties\":{\"b\":2}"));
    assertThat(vm().properties()).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(vm().locator()).isEqualTo("vc/vm-7");
  }

  @Test
  void anUnchangedRecordCostsTheCatalogNothing() {
    d.records(record(0, CONFIGURED));
    int asked = d.catalog.requests().size();
    d.records(record(300, CONFIGURED));
    d.records(record(600, CONFIGURED));
    assertThat(d.catalog.requests()).hasSize(asked);
  }

  @Test
  void newObjectsAreWithinTheGuard() {
    d.guards(
        new IngestGuards(
            Duration.ofMinutes(10), Duration.ofDays(400), 1, 2_000, 20_000, 4 << 20, 500));
    String other = record(0, CONFIGURED).replace("vm-7", "vm-8");
    d.records(record(0, CONFIGURED), other);
    assertThat(d.catalog.objects()).containsExactly(VM);
    assertThat(d.rejections())
        .singleElement()
        .asString()
        .startsWith("new-objects: more than 1 new objects in this minute");
    assertThat(d.payloads().getFirst()).contains("vm-8");
    d.at(Decoding.NOW.plusSeconds(60)).records(other);
    assertThat(d.catalog.objects()).hasSize(2);
  }

  @Test
  void timesAndTextsOfRecordsAreWithinTheGuards() {
    d.records(
        record(3_600, CONFIGURED),
        record(0, "\"properties\":{\"p\":\"" + "x".repeat(501) + "\"}"),
        record(0, "\"parents\":[{\"objectKind\":\"K\",\"id\":\"" + "x".repeat(501) + "\"}]"));
    assertThat(d.letters())
        .extracting(DeadLetter::reason)
        .containsExactly(RejectReason.FUTURE, RejectReason.TOO_LONG, RejectReason.TOO_LONG);
    assertThat(d.catalog.objects()).isEmpty();
  }

  @Test
  void metricsAndConfigurationMayComeInOneRecord() {
    d.records(record(0, CONFIGURED + ",\"metrics\":{\"app|users\":3}"));
    assertThat(d.value(VM, "app|users", T)).isEqualTo(3);
    assertThat(vm().tags()).containsEntry("tier", "web");
    d.records(record(20, "\"metrics\":{\"app|users\":null},\"tags\":{\"tier\":\"db\"}"));
    assertThat(d.rejections()).isEmpty();
    assertThat(vm().tags()).containsEntry("tier", "db");
  }

  @Test
  void nullTakesPropertiesTagsAndParentsAway() {
    d.records(record(0, CONFIGURED));
    d.records(
        record(
            300,
            "\"properties\":{\"snapshot|age\":null,\"unknown\":null},\"tags\":{\"tier\":null},"
                + "\"parents\":[{\"objectKind\":\"Folder\",\"id\":null}]"));
    assertThat(d.rejections()).isEmpty();
    assertThat(vm().properties()).containsOnlyKeys("config|guestId");
    assertThat(vm().tags()).isEmpty();
    assertThat(vm().references()).containsExactly(parent("HostSystem", "vc/host-1"));
    d.records(record(100, "\"properties\":{\"snapshot|age\":3}"));
    assertThat(vm().properties()).as("an older record").doesNotContainKey("snapshot|age");
    d.records(record(600, "\"properties\":{\"snapshot|age\":1}"));
    assertThat(vm().properties()).containsEntry("snapshot|age", "1");
  }

  @Test
  void aParentThatIsNamedCountsBesideANullOfItsKind() {
    d.records(
        record(
            0,
            "\"parents\":[{\"objectKind\":\"Folder\",\"id\":null},{\"objectKind\":\"Folder\",\"id\":\"f\"}]"));
    assertThat(vm().references()).containsExactly(parent("Folder", "f"));
  }

  @Test
  void anObjectKeepsTheLocatorThatARecordDoesNotName() {
    d.records(line(0, "H0", ""));
    d.records(record(1, "\"name\":\"web one\""));
    assertThat(vm().name()).isEqualTo("web one");
    assertThat(vm().locator()).isEqualTo("vc/DC0/web1");
    d.records(record(2, "\"locator\":\"elsewhere\""));
    assertThat(vm().locator()).isEqualTo("elsewhere");
    d.records(record(3, "\"name\":\"web two\",\"metrics\":{\"a|b\":1}"));
    assertThat(vm().locator()).isEqualTo("elsewhere");
  }

  @Test
  void anObjectThatALineMadeIsCompletedByTheRecordThatFollows() {
    d.records(ourLine(0, ""));
    assertThat(vm().name()).isEqualTo("vc/vm-7");
    assertThat(vm().locator()).isEqualTo("vc/vm-7");
    d.records(record(-2, CONFIGURED));
    assertThat(vm().name()).isEqualTo("web1");
    assertThat(vm().locator()).isEqualTo("vc/DC0/web1");
    assertThat(vm().properties()).containsEntry("snapshot|age", "3");
    d.records(ourLine(20, ""), ourLine(20, ",instance=1"));
    assertThat(vm().name()).isEqualTo("web1");
    assertThat(d.value(VM, "cpu:1|usage_average", T + 20_000_000)).isEqualTo(2);
  }

  @Test
  void aMachineOfTwoFeedersIsOneObjectWithOneSeries() {
    d.records(line(0, "H0", ""), record(3, CONFIGURED), ourLine(10, ""));
    d.records(line(20, "H0", ""), ourLine(30, ""));
    assertThat(d.catalog.objects()).containsExactly(VM);
    assertThat(d.catalog.sets()).hasSize(1);
    assertThat(d.all()).hasSize(4);
  }

  @Test
  void whatRecordsSaidIsNotChangedByLinesWhateverTheirTimes() {
    d.records(record(3, CONFIGURED));
    ObjectAttributes configured = vm();
    d.records(line(0, "H0", ""));
    d.records(line(5, "H0", ""), line(5, "H0", ",ipv4=10.0.0.1"));
    ObjectAttributes both = vm();
    assertThat(both.name()).isEqualTo("web1");
    assertThat(both.references()).isEqualTo(configured.references());
    assertThat(both.properties())
        .containsAllEntriesOf(configured.properties())
        .containsEntry("summary|parentHost", "H0");
    int before = updates();
    for (int i = 1; i <= 20; i++) {
      d.records(record(i * 20 + 3, CONFIGURED), line(i * 20, "H0", ""), line(i * 20 + 5, "H0", ""));
    }
    assertThat(vm()).isEqualTo(both);
    assertThat(updates()).isEqualTo(before);
    d.restart();
    d.records(line(500, "H0", ""), record(497, CONFIGURED), line(494, "H0", ",ipv4=10.0.0.1"));
    d.records(record(517, CONFIGURED), line(520, "H0", ""));
    assertThat(vm()).isEqualTo(both);
    assertThat(updates()).isEqualTo(before);
  }

  @Test
  void aLineThatIsSomeSecondsNewerDoesNotBlockARecord() {
    d.records(record(0, CONFIGURED), line(0, "H0", ""));
    d.records(line(20, "H1", ""));
    assertThat(vm().properties()).containsEntry("summary|parentHost", "H1");
    d.records(record(13, CONFIGURED.replace("host-1", "host-2").replace("\"3\"", "\"4\"")));
    assertThat(vm().references()).contains(parent("HostSystem", "vc/host-2"));
    assertThat(vm().properties()).containsEntry("snapshot|age", "4");
  }

  @Test
  void whatOnlyLinesSayStillFollowsThem() {
    d.records(line(0, "H0", ""), record(3, CONFIGURED));
    d.records(line(20, "H1", ""));
    assertThat(vm().properties()).containsEntry("summary|parentHost", "H1");
    d.records(line(40, "H0", ""));
    assertThat(vm().properties()).containsEntry("summary|parentHost", "H0");
    d.records(line(30, "H1", ""));
    assertThat(vm().properties()).as("a late line").containsEntry("summary|parentHost", "H0");
    assertThat(vm().references()).contains(parent("HostSystem", "vc/host-1"));
  }

  @Test
  void linesCountAgainADayAfterTheLastRecord() {
    d.records(line(0, "H0", ""), record(3, CONFIGURED), line(20, "H0", ""));
    long day = Duration.ofDays(1).toSeconds();
    d.at(Decoding.NOW.plus(Duration.ofDays(2)));
    d.records(line(day, "H0", ""));
    assertThat(vm().references()).contains(parent("HostSystem", "vc/host-1"));
    d.records(line(day + 20, "H0", ""));
    assertThat(vm().references()).contains(parent("HostSystem", "vc/DC0/H0"));
    assertThat(vm().properties()).containsEntry("config|guestId", "rhel8_64");
    d.records(record(day + 30, CONFIGURED));
    assertThat(vm().references()).contains(parent("HostSystem", "vc/host-1"));
  }

  @Test
  void unchangedRecordsKeepLinesFromCounting() {
    d.records(line(0, "H0", ""), record(3, CONFIGURED), line(20, "H0", ""));
    ObjectAttributes both = vm();
    d.at(Decoding.NOW.plus(Duration.ofDays(3)));
    for (int hour = 1; hour <= 48; hour++) {
      d.records(record(hour * 3_600L, CONFIGURED), line(hour * 3_600L + 20, "H0", ""));
      assertThat(vm()).isEqualTo(both);
    }
    assertThat(updates()).as("records are noted every 6 hours").isLessThan(12);
  }

  private static ObjectReference child(String kind, String locator) {
    return new ObjectReference(ObjectReference.Role.CHILD, "VMWARE", kind, locator);
  }

  @Test
  void theChildrenOfAKindReplaceThoseThatWereBefore() {
    d.records(
        record(
            0,
            "\"name\":\"web1\",\"children\":[{\"objectKind\":\"Datastore\",\"id\":\"vc/ds-1\"},"
                + "{\"objectKind\":\"Datastore\",\"id\":\"vc/ds-2\"},{\"objectKind\":\"Disk\",\"id\":\"d\"}]"));
    assertThat(vm().references())
        .containsExactlyInAnyOrder(
            child("Datastore", "vc/ds-1"), child("Datastore", "vc/ds-2"), child("Disk", "d"));
    d.records(record(60, "\"children\":[{\"objectKind\":\"Datastore\",\"id\":\"vc/ds-2\"}]"));
    assertThat(vm().references())
        .containsExactlyInAnyOrder(child("Datastore", "vc/ds-2"), child("Disk", "d"));
    d.records(record(120, "\"name\":\"web2\",\"children\":[]"));
    assertThat(vm().references()).as("a kind that is not named stays").hasSize(2);
    d.records(record(180, "\"children\":[{\"objectKind\":\"Datastore\",\"id\":null}]"));
    assertThat(vm().references()).containsExactly(child("Disk", "d"));
    d.records(record(100, "\"children\":[{\"objectKind\":\"Datastore\",\"id\":\"vc/ds-9\"}]"));
    assertThat(vm().references()).as("an older record").containsExactly(child("Disk", "d"));
    assertThat(d.rejections()).isEmpty();
  }

  @Test
  void linesDoNotAddChildrenOfAKindThatARecordNamed() {
    String datastore =
        "vsphere_vm_datastore,dcname=DC0,dsname=%s,lun=1,moid=vm-7,vcenter=vc,vmname=web1 read_average=1 %d000\n";
    d.records(datastore.formatted("ds1", T));
    assertThat(vm().references()).contains(child("Datastore", "vc/DC0/ds1"));
    d.records(record(3, "\"children\":[{\"objectKind\":\"Datastore\",\"id\":\"vc/ds-2\"}]"));
    d.records(datastore.formatted("ds1", T + 20_000_000));
    assertThat(vm().references())
        .contains(child("Datastore", "vc/ds-2"))
        .doesNotContain(child("Datastore", "vc/DC0/ds1"));
  }

  private static final String GONE = "\"gone\":true";

  @Test
  void aRecordTellsTheCatalogThatItsObjectIsGone() {
    d.records(record(0, CONFIGURED), line(0, "H0", ""));
    ObjectAttributes before = vm();
    d.restart();
    d.records(record(60, GONE));
    assertThat(d.rejections()).isEmpty();
    assertThat(d.catalog.gone(VM)).isNotEmpty().containsOnly(T + 60_000_000);
    assertThat(vm()).as("what was known of it").isEqualTo(before);
    assertThat(d.sink.liveness()).as("that is no sign of life").isEqualTo(Map.of(1, T));
  }

  @Test
  void anObjectThatWasNeverKnownIsNotMadeByBeingGone() {
    d.records(record(0, GONE), record(0, GONE).replace("vm-7", "vm-8"));
    assertThat(d.rejections()).isEmpty();
    assertThat(d.catalog.objects()).isEmpty();
    d.records(record(60, GONE), record(70, CONFIGURED));
    assertThat(d.catalog.objects()).containsExactly(VM);
    assertThat(vm().name()).isEqualTo("web1");
    assertThat(d.catalog.gone(VM)).as("it was heard of later").isEmpty();
    d.records(record(80, GONE).replace("vm-7", "vm-9"), line(90, "H0", "").replace("vm-7", "vm-9"));
    assertThat(d.rejections()).isEmpty();
    assertThat(d.catalog.objects()).hasSize(2);
  }

  @Test
  void anOlderRemovalThanTheNewestSignOfLifeIsNotTold() {
    d.records(record(0, CONFIGURED), line(120, "H0", ""));
    d.records(record(60, GONE));
    assertThat(d.catalog.gone(VM)).isEmpty();
  }

  @Test
  void theFirstSignOfLifeAfterARemovalIsHandedOverHoweverSoonItComes() {
    d.records(record(0, CONFIGURED), line(0, "H0", ""));
    d.records(record(5, GONE));
    d.records(line(4, "H0", ""));
    assertThat(d.sink.liveness()).as("a late line").isEqualTo(Map.of(1, T));
    d.records(line(6, "H0", ""));
    assertThat(d.sink.liveness()).isEqualTo(Map.of(1, T + 6_000_000));
    d.records(record(10, GONE));
    d.records(record(11, CONFIGURED));
    assertThat(d.sink.liveness()).as("an unchanged record").isEqualTo(Map.of(1, T + 11_000_000));
  }

  @Test
  void aRemovalThatHoldsMetricsOrIsNoBooleanIsRejected() {
    d.records(
        record(0, GONE + ",\"metrics\":{\"a|b\":1}"),
        record(0, "\"gone\":\"yes\""),
        record(0, "\"gone\":false"),
        record(0, "\"children\":{\"Datastore\":[\"ds\"]}"));
    assertThat(d.letters())
        .extracting(DeadLetter::detail)
        .satisfiesExactly(
            one -> assertThat(one).startsWith("'gone' is true and 'metrics' holds values"),
            one ->
                assertThat(one)
                    .isEqualTo("'gone' is \"yes\": expected true once the object was removed"),
            one -> assertThat(one).startsWith("nothing is said of the object"),
            one -> assertThat(one).startsWith("'children' is {").contains("expected an array of"));
    assertThat(d.catalog.objects()).isEmpty();
  }
}
