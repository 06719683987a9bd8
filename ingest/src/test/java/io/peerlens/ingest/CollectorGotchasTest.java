package io.peerlens.ingest;

import static io.peerlens.ingest.Decoding.host;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.SetKey;
import io.peerlens.ingest.mapping.Mappings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real collectors do that a reader of their lines must know. */
class CollectorGotchasTest {

  private static final long T = 1_795_219_680_000_000L;
  private static final ObjectKey VM = new ObjectKey("VMWARE", "VirtualMachine", "vc:443/vm-7");

  private final Decoding d = new Decoding();

  private static String vm(String group, String tags, String fields, long micros) {
    return "vsphere_vm_%s,clustername=C0,dcname=DC0,esxhostname=H0,guest=rhel8_64,host=collector1,moid=vm-7,rpname=Resources,source=web1,uuid=u-7,vcenter=vc:443,vmname=web1%s %s %d000\n"
        .formatted(group, tags, fields, micros);
  }

  private ObjectReference parent(String kind, String locator) {
    return new ObjectReference(ObjectReference.Role.PARENT, "VMWARE", kind, locator);
  }

  @Test
  void metricsHaveTheNamesOfVrealizeOperations() {
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=12.5", T));
    assertThat(d.catalog.objects()).containsExactly(VM);
    assertThat(d.value(VM, "cpu|usage_average", T)).isEqualTo(12.5);
    ObjectAttributes a = d.catalog.attributes(VM);
    assertThat(a.name()).isEqualTo("web1");
    assertThat(a.properties())
        .containsEntry("summary|parentHost", "H0")
        .containsEntry("config|uuid", "u-7");
    assertThat(a.tags()).isEmpty();
    assertThat(a.references())
        .containsExactlyInAnyOrder(
            parent("HostSystem", "vc:443/DC0/H0"),
            parent("ResourcePool", "vc:443/DC0/C0/Resources"));
  }

  @Test
  void gotcha1MergesFieldsOfOneTimestampFromSeveralRecordsAndBatches() {
    d.records(
        vm("cpu", ",cpu=instance-total", "usage_average=1", T),
        vm("cpu", ",cpu=instance-total", "usagemhz_average=2i", T));
    d.records(vm("cpu", ",cpu=instance-total", "ready_summation=3i", T));
    assertThat(d.sink.rows()).isEqualTo(1);
    assertThat(d.value(VM, "cpu|usage_average", T)).isEqualTo(1);
    assertThat(d.value(VM, "cpu|usagemhz_average", T)).isEqualTo(2);
    assertThat(d.value(VM, "cpu|ready_summation", T)).isEqualTo(3);
    assertThat(d.sink.overwritten()).isZero();
  }

  @Test
  void gotcha2TakesSamplesInAnyOrder() {
    d.records(
        vm("cpu", ",cpu=instance-total", "usage_average=3", T + 40_000_000),
        vm("cpu", ",cpu=instance-total", "usage_average=1", T),
        vm("cpu", ",cpu=instance-total", "usage_average=2", T + 20_000_000));
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=0", T - 20_000_000));
    assertThat(d.sink.rows()).isEqualTo(4);
    assertThat(d.value(VM, "cpu|usage_average", T)).isEqualTo(1);
    assertThat(d.value(VM, "cpu|usage_average", T - 20_000_000)).isZero();
  }

  @Test
  void gotcha5TakesAStarForAnInstanceOfThatName() {
    d.records(
        vm("net", ",interface=*", "usage_average=1i", T),
        vm("net", ",interface=instance-total", "usage_average=2i", T));
    assertThat(d.value(VM, "net:*|usage_average", T)).isEqualTo(1);
    assertThat(d.value(VM, "net|usage_average", T)).isEqualTo(2);
  }

  @Test
  void instancesAreKeptApartFromTheirTotal() {
    d.records(
        vm("cpu", ",cpu=0", "usage_average=10", T),
        vm("cpu", ",cpu=1", "usage_average=20", T),
        vm("cpu", ",cpu=instance-total", "usage_average=15", T),
        vm("mem", "", "usage_average=50", T),
        vm("virtualDisk", ",disk=scsi0:0", "read_average=4i", T));
    assertThat(d.value(VM, "cpu:0|usage_average", T)).isEqualTo(10);
    assertThat(d.value(VM, "cpu:1|usage_average", T)).isEqualTo(20);
    assertThat(d.value(VM, "cpu|usage_average", T)).isEqualTo(15);
    assertThat(d.value(VM, "mem|usage_average", T)).isEqualTo(50);
    assertThat(d.value(VM, "virtualDisk:scsi0:0|read_average", T)).isEqualTo(4);
    assertThat(d.catalog.objects()).containsExactly(VM);
  }

  @Test
  void gotcha6KeepsARenamedVmTheSameObject() {
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=1", T));
    d.records(
        vm("cpu", ",cpu=instance-total", "usage_average=2", T + 20_000_000)
            .replace("web1", "shop-web1"));
    assertThat(d.catalog.objects()).containsExactly(VM);
    assertThat(d.catalog.sets()).hasSize(1);
    assertThat(d.catalog.attributes(VM).name()).isEqualTo("shop-web1");
    assertThat(d.value(VM, "cpu|usage_average", T + 20_000_000)).isEqualTo(2);
  }

  @Test
  void gotcha6FollowsAVmToItsNewHostAndLetsLateLinesNotTakeItBack() {
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=1", T));
    String moved =
        vm("cpu", ",cpu=instance-total", "usage_average=2", T + 40_000_000).replace("=H0", "=H1");
    String late = vm("cpu", ",cpu=instance-total", "usage_average=3", T + 20_000_000);
    d.records(moved, late);
    assertThat(d.catalog.attributes(VM).references())
        .containsExactlyInAnyOrder(
            parent("HostSystem", "vc:443/DC0/H1"),
            parent("ResourcePool", "vc:443/DC0/C0/Resources"));
    d.records(late.replace("=3 ", "=4 "));
    d.restart();
    d.records(late.replace("=3 ", "=5 "));
    assertThat(d.catalog.attributes(VM).properties()).containsEntry("summary|parentHost", "H1");
    assertThat(d.value(VM, "cpu|usage_average", T + 20_000_000)).isEqualTo(5);
    // And back again, by a newer line of the first series.
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=6", T + 60_000_000));
    assertThat(d.catalog.attributes(VM).properties()).containsEntry("summary|parentHost", "H0");
  }

  @Test
  void theCatalogIsUpdatedOnceWhenAnObjectChanges() {
    String mem = vm("mem", "", "usage_average=2", T);
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=1", T), mem);
    int before = updates();
    for (int i = 1; i <= 5; i++) {
      d.records(
          vm("cpu", ",cpu=instance-total", "usage_average=1", T + i * 20_000_000L),
          vm("mem", "", "usage_average=1", T + i * 20_000_000L));
    }
    assertThat(updates()).isEqualTo(before);
    d.records(
        vm("cpu", ",cpu=instance-total", "usage_average=1", T + 200_000_000L).replace("=H0", "=H1"),
        vm("mem", "", "usage_average=1", T + 200_000_000L).replace("=H0", "=H1"));
    assertThat(updates()).isLessThanOrEqualTo(before + 1);
  }

  private int updates() {
    return d.catalog.requests().stream().mapToInt(r -> r.updates().size()).sum();
  }

  @Test
  void objectsAreIdentifiedByVcenterAndMoidTogether() {
    String here = vm("cpu", ",cpu=instance-total", "usage_average=1", T);
    d.records(here, here.replace("vc:443", "other:443"), here.replace("moid=vm-7", "moid=vm-8"));
    assertThat(d.catalog.objects())
        .extracting(ObjectKey::externalId)
        .containsExactlyInAnyOrder("vc:443/vm-7", "other:443/vm-7", "vc:443/vm-8");
  }

  @Test
  void gotcha8KeepsDatastoresOfOneNameApartAndNamesThemBySource() {
    String line =
        "vsphere_datastore_datastore,dcname=%s,dsname=instance-total,host=collector1,lun=instance-total,moid=%s,source=LocalDS_0,vcenter=vc:443 read_average=%di "
            + T
            + "000\n";
    d.records(line.formatted("DC0", "datastore-1", 1), line.formatted("DC1", "datastore-2", 2));
    ObjectKey first = new ObjectKey("VMWARE", "Datastore", "vc:443/datastore-1");
    ObjectKey second = new ObjectKey("VMWARE", "Datastore", "vc:443/datastore-2");
    assertThat(d.value(first, "datastore|read_average", T)).isEqualTo(1);
    assertThat(d.value(second, "datastore|read_average", T)).isEqualTo(2);
    assertThat(d.catalog.attributes(first).name()).isEqualTo("LocalDS_0");
    assertThat(d.catalog.attributes(first).locator()).isEqualTo("vc:443/DC0/LocalDS_0");
    assertThat(d.catalog.attributes(second).locator()).isEqualTo("vc:443/DC1/LocalDS_0");
  }

  @Test
  void gotcha9TakesHistoryThatArrivesLate() {
    long old = T - 1_200_000_000L;
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=1", T));
    d.records(
        "vsphere_cluster_cpu,clustername=C0,cpu=instance-total,dcname=DC0,host=collector1,moid=domain-c1,source=C0,vcenter=vc:443 usage_average=7 "
            + old
            + "000\n");
    ObjectKey cluster = new ObjectKey("VMWARE", "ClusterComputeResource", "vc:443/domain-c1");
    assertThat(d.value(cluster, "cpu|usage_average", old)).isEqualTo(7);
    assertThat(d.rejections()).isEmpty();
  }

  @Test
  void vsanMeasurementsBelongToTheirCluster() {
    String tags =
        ",clustername=C0,dcname=DC0,host=collector1,moid=domain-c1,source=C0,vcenter=vc:443";
    String measurement = "vsphere_vsan_performance_";
    d.records(
        measurement
            + "clusterdomclient"
            + tags
            + ",uuid=52a0 iops_read=13,congestion=0 "
            + T
            + "000\n",
        measurement
            + "hostdomclient"
            + tags
            + ",hostname=esx-1 latency_avg_read=900 "
            + T
            + "000\n",
        measurement
            + "diskgroup"
            + tags
            + ",hostname=esx-1,devicename=naa.5,ssduuid=52b1 log_congestion=7 "
            + T
            + "000\n",
        measurement
            + "vsanpnicnet"
            + tags
            + ",hostname=esx-1,pnic=vmnic0 rx_packets_loss_rate=0 "
            + T
            + "000\n",
        measurement + "virtualdisk" + tags + ",uuid=d1 niops=5 " + T + "000\n",
        measurement + "virtualdisk" + tags + ",uuid=d2 niops=7 " + T + "000\n",
        "vsphere_vsan_summary" + tags + " total_capacity_byte=9 " + T + "000\n");
    ObjectKey cluster = new ObjectKey("VMWARE", "ClusterComputeResource", "vc:443/domain-c1");
    assertThat(d.value(cluster, "clusterdomclient|iops_read", T)).isEqualTo(13);
    assertThat(d.value(cluster, "hostdomclient:hostname=esx-1|latency_avg_read", T)).isEqualTo(900);
    assertThat(d.value(cluster, "diskgroup:devicename=naa.5,hostname=esx-1|log_congestion", T))
        .isEqualTo(7);
    assertThat(d.value(cluster, "vsanpnicnet:hostname=esx-1,pnic=vmnic0|rx_packets_loss_rate", T))
        .isEqualTo(0);
    assertThat(d.value(cluster, "virtualdisk:uuid=d1|niops", T)).isEqualTo(5);
    assertThat(d.value(cluster, "virtualdisk:uuid=d2|niops", T)).isEqualTo(7);
    assertThat(d.value(cluster, "vsansummary|total_capacity_byte", T)).isEqualTo(9);
    assertThat(d.rejections()).isEmpty();
  }

  @Test
  void textFieldsBecomeProperties() {
    d.records(
        vm("cpu", ",cpu=instance-total", "usage_average=1,memorySizeMB=\"32768\"", T),
        vm("mem", "", "memorySizeMB=\"32768\",memoryReservation=\"1024\",usage_average=2", T));
    assertThat(d.catalog.attributes(VM).properties())
        .containsEntry("config|hardware|memoryKB", "33554432")
        .containsEntry("config|memoryAllocation|reservation", "1048576");
    assertThat(d.names(VM, "cpu")).containsExactly("usage_average");
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=1,memorySizeMB=\"65536\"", T + 1));
    assertThat(d.catalog.attributes(VM).properties())
        .containsEntry("config|hardware|memoryKB", "67108864");
    d.records(vm("cpu", ",cpu=0", "usage_average=1,memorySizeMB=\"16384\"", T - 1));
    assertThat(d.catalog.attributes(VM).properties())
        .containsEntry("config|hardware|memoryKB", "67108864");
  }

  @Test
  void numericFieldsCanBecomeProperties() {
    d.records(vm("cpu", ",cpu=instance-total", "usage_average=1,memorySizeMB=32768i", T));
    assertThat(d.catalog.attributes(VM).properties())
        .containsEntry("config|hardware|memoryKB", "33554432");
    assertThat(d.names(VM, "cpu")).containsExactly("usage_average");
  }

  @Test
  void escapesInPropertyTextsAreResolved() {
    d.records(
        vm(
            "cpu",
            ",cpu=instance-total",
            "usage_average=1,memoryReservation=\"a \\\"b\\\" \\\\ c\\d\"",
            T));
    assertThat(d.catalog.attributes(VM).properties())
        .containsEntry("config|memoryAllocation|reservation", "a \"b\" \\ c\\d");
  }

  @Test
  void customAttributesBecomeTags() {
    d.records(vm("cpu", ",cpu=instance-total,app=db,owner=team-dba", "usage_average=1", T));
    assertThat(d.catalog.attributes(VM).tags())
        .containsExactlyInAnyOrderEntriesOf(java.util.Map.of("app", "db", "owner", "team-dba"));
  }

  @Test
  void gotcha15TakesTheCollectorsOwnStatistics() {
    d.records(
        "internal_gather,host=collector1,input=vsphere,version=1.38.2 errors=0i,gather_time_ns=5i "
            + T
            + "000\n");
    assertThat(
            d.value(host("collector1"), "internal_gather:input=vsphere,version=1.38.2|errors", T))
        .isZero();
  }

  @Test
  void anUnknownMeasurementWithoutHostBecomesAnObject() {
    d.records("weather,city=Bonn temperature=21.5 " + T + "000\n");
    ObjectKey object = new ObjectKey("Telegraf", "Measurement", "weather");
    assertThat(d.value(object, "weather:city=Bonn|temperature", T)).isEqualTo(21.5);
  }

  @Test
  void swapAndSystemInSeveralLinesAreMerged() {
    d.records(
        "swap,host=vm total=100i,used=1i,free=99i,used_percent=1 " + T + "000\n",
        "swap,host=vm in=5i,out=6i " + T + "000\n",
        "system,host=vm load1=0.5,n_cpus=2i " + T + "000\n",
        "system,host=vm uptime=1234i " + T + "000\n",
        "system,host=vm uptime_format=\" 0:20\" " + T + "000\n");
    assertThat(d.sink.rows()).isEqualTo(2);
    assertThat(d.value(host("vm"), "swap|used_percent", T)).isEqualTo(1);
    assertThat(d.value(host("vm"), "swap|in", T)).isEqualTo(5);
    assertThat(d.value(host("vm"), "system|uptime", T)).isEqualTo(1234);
    assertThat(d.value(host("vm"), "system|load1", T)).isEqualTo(0.5);
    assertThat(d.rejections()).isEmpty();
  }

  private void recv(long bytes, long seconds) {
    d.records(
        "net,host=vm,interface=eth0 bytes_recv=%di %d000\n"
            .formatted(bytes, T + seconds * 1_000_000));
  }

  private double rate(long seconds) {
    return d.value(host("vm"), "net:eth0|bytes_recv_rate", T + seconds * 1_000_000);
  }

  @Test
  void countersGetRates() {
    recv(1_000, 0);
    recv(3_000, 10);
    recv(3_000, 20);
    assertThat(rate(0)).isNaN();
    assertThat(rate(10)).isEqualTo(200);
    assertThat(rate(20)).isZero();
    assertThat(d.value(host("vm"), "net:eth0|bytes_recv", T)).isEqualTo(1_000);
    assertThat(d.catalog.metrics(new GroupKey("Telegraf", "Host", "net")))
        .containsExactly(new Metric("bytes_recv", "B"), new Metric("bytes_recv_rate", "B/s"));
  }

  @Test
  void aResetCounterStartsFromZero() {
    recv(5_000, 0);
    recv(100, 10);
    assertThat(rate(10)).isEqualTo(10);
  }

  @Test
  void thereIsNoRateRightAfterALongGap() {
    recv(0, -7_200);
    recv(7_200, 0);
    recv(7_300, 10);
    assertThat(rate(0)).isNaN();
    assertThat(rate(10)).isEqualTo(10);
  }

  @Test
  void samplesOutOfOrderOrRepeatedGetNoRate() {
    recv(0, 0);
    recv(100, 10);
    recv(50, 5);
    recv(100, 10);
    recv(300, 20);
    assertThat(rate(5)).isNaN();
    assertThat(rate(10)).isEqualTo(10);
    assertThat(rate(20)).isEqualTo(20);
  }

  @Test
  void countersContinueAfterARestart() {
    recv(0, 0);
    recv(100, 10);
    d.restart();
    recv(300, 20);
    assertThat(rate(20)).isEqualTo(20);
    d.restart();
    recv(250, 15); // older than what is stored
    assertThat(rate(15)).isNaN();
  }

  @Test
  void countersOfOneBatchAreReadInOrder() {
    d.records(
        "kernel,host=vm context_switches=10i " + T + "000\n",
        "kernel,host=vm context_switches=20i " + (T + 10_000_000) + "000\n",
        "kernel,host=vm context_switches=50i " + (T + 20_000_000) + "000\n");
    assertThat(d.value(host("vm"), "kernel|context_switches_rate", T + 10_000_000)).isEqualTo(1);
    assertThat(d.value(host("vm"), "kernel|context_switches_rate", T + 20_000_000))
        .isCloseTo(3, within(1e-12));
  }

  @Test
  void countersOfTwoRulesThatFillOneSetDoNotMix(@TempDir Path directory) throws IOException {
    Files.writeString(
        directory.resolve("shop.yaml"),
        """
        collector: two plugins of one program
        adapterKind: Shop
        rules:
          - measurement: orders
            objectKind: Pool
            id: "{pool}"
            group: shop
            counters: {shop: [orders]}
          - measurement: visits
            objectKind: Pool
            id: "{pool}"
            group: shop
            counters: {shop: [visits]}
        """);
    Decoding shop = new Decoding(Mappings.load(directory), TimePrecision.NS);
    for (int i = 0; i < 3; i++) {
      long time = T + i * 10_000_000L;
      shop.records(
          "orders,pool=p orders=%di %d000\n".formatted(100 + 20 * i, time),
          "visits,pool=p visits=%di %d000\n".formatted(9_000 + 500 * i, time + 1_000_000));
    }
    ObjectKey pool = new ObjectKey("Shop", "Pool", "p");
    assertThat(shop.value(pool, "shop|orders_rate", T + 10_000_000)).isEqualTo(2);
    assertThat(shop.value(pool, "shop|orders_rate", T + 20_000_000)).isEqualTo(2);
    assertThat(shop.value(pool, "shop|visits_rate", T + 1_000_000)).isNaN();
    assertThat(shop.value(pool, "shop|visits_rate", T + 11_000_000)).isEqualTo(50);
    assertThat(shop.value(pool, "shop|visits_rate", T + 21_000_000)).isEqualTo(50);
  }

  @Test
  void aGroupGrowsBetweenBatchesAndWithinOne() {
    d.records(vm("cpu", ",cpu=instance-total", "a=1", T));
    d.records(vm("cpu", ",cpu=instance-total", "b=2", T + 1), vm("cpu", ",cpu=0", "a=9", T + 1));
    d.records(
        vm("cpu", ",cpu=instance-total", "a=3", T + 2),
        vm("cpu", ",cpu=instance-total", "c=4,d=5", T + 2),
        vm("cpu", ",cpu=instance-total", "b=6", T + 2));
    assertThat(d.names(VM, "cpu")).containsExactly("a", "b", "c", "d");
    assertThat(d.sink.row(d.catalog.setId(new SetKey(VM, "cpu", "")), T + 2))
        .containsExactly(3, 6, 4, 5);
    assertThat(d.value(VM, "cpu|a", T)).isEqualTo(1);
    assertThat(d.value(VM, "cpu|b", T + 1)).isEqualTo(2);
    assertThat(d.value(VM, "cpu:0|a", T + 1)).isEqualTo(9);
  }

  @Test
  void theLastSampleTimeOfAnObjectIsKept() {
    d.records(vm("cpu", ",cpu=instance-total", "a=1", T));
    d.records(
        vm("cpu", ",cpu=instance-total", "a=1", T + 60_000_000), vm("cpu", ",cpu=0", "a=1", T));
    assertThat(d.sink.liveness()).containsExactly(java.util.Map.entry(1, T + 60_000_000));
  }

  @Test
  void theCatalogIsAskedOnlyForNewSeries() {
    String line = vm("cpu", ",cpu=instance-total", "usage_average=1", T);
    d.records(line);
    int asked = d.catalog.requests().size();
    d.records(line, line);
    assertThat(d.catalog.requests()).hasSize(asked);
    assertThat(d.catalog.requests().stream().mapToInt(r -> r.sets().size()).sum()).isEqualTo(1);
    assertThat(List.copyOf(d.catalog.sets())).hasSize(1);
  }
}
