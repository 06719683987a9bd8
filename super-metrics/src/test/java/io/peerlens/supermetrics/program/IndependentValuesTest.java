package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Formulas against plain loops over objects, which know nothing of formulas: 3 clusters, 12 hosts,
 * 200 virtual machines, 15 datastores, with missing, old and textual values.
 */
class IndependentValuesTest {

  static final class Cluster {
    final String name;
    final List<Host> hosts = new ArrayList<>();
    double running = Double.NaN;

    Cluster(String name) {
      this.name = name;
    }

    List<Vm> vms() {
      return hosts.stream().flatMap(host -> host.vms.stream()).toList();
    }

    Set<Datastore> datastores() {
      Set<Datastore> all = new LinkedHashSet<>();
      vms().forEach(vm -> all.addAll(vm.datastores));
      return all;
    }
  }

  static final class Host {
    final String name;
    final Cluster cluster;
    final List<Vm> vms = new ArrayList<>();
    double cpu = Double.NaN;
    @Nullable String cores;
    String state = "";

    Host(String name, Cluster cluster) {
      this.name = name;
      this.cluster = cluster;
    }
  }

  static final class Vm {
    final String name;
    final Host host;
    final List<Datastore> datastores = new ArrayList<>();
    double cpu = Double.NaN;
    double mem = Double.NaN;
    double on = Double.NaN;
    double vcpus = Double.NaN;
    boolean memFresh = true;
    @Nullable String guest;
    final double[] disks = {Double.NaN, Double.NaN, Double.NaN};
    double disksTogether = Double.NaN;

    Vm(String name, Host host) {
      this.name = name;
      this.host = host;
    }

    /** Instances that count: the single disks, or else what stands for all of them. */
    double[] allDisks() {
      double[] own = present(disks);
      return own.length > 0 ? own : present(new double[] {disksTogether});
    }
  }

  static final class Datastore {
    final String name;
    final Set<Vm> vms = new LinkedHashSet<>();
    double used = Double.NaN;
    String type = "";

    Datastore(String name) {
      this.name = name;
    }
  }

  private static final List<Cluster> CLUSTERS = new ArrayList<>();
  private static final List<Datastore> DATASTORES = new ArrayList<>();
  private static final World WORLD = build();

  private static World build() {
    Random random = new Random(42);
    for (int d = 0; d < 15; d++) {
      Datastore datastore = new Datastore("ds" + d);
      datastore.used = d % 7 == 6 ? Double.NaN : random.nextInt(1000);
      datastore.type = List.of("vsan", "VMFS", "NFS").get(d % 3);
      DATASTORES.add(datastore);
    }
    int hostNumber = 0;
    int vmNumber = 0;
    for (int c = 0; c < 3; c++) {
      Cluster cluster = new Cluster("c" + c);
      cluster.running = c == 2 ? Double.NaN : 10 + c;
      CLUSTERS.add(cluster);
      for (int h = 0; h < 4; h++) {
        Host host = new Host("h" + hostNumber, cluster);
        host.cpu = hostNumber % 5 == 4 ? Double.NaN : random.nextInt(1000) / 10.0;
        host.cores = hostNumber % 4 == 0 ? null : hostNumber % 4 == 1 ? "16 cores" : "32";
        host.state = hostNumber % 6 == 0 ? "inMaintenance" : "notInMaintenance";
        cluster.hosts.add(host);
        hostNumber++;
        int vms = hostNumber == 12 ? 2 : 18; // 11 * 18 + 2 = 200
        for (int v = 0; v < vms; v++) {
          host.vms.add(vm("vm" + vmNumber++, host, random));
        }
      }
    }
    return world();
  }

  private static Vm vm(String name, Host host, Random random) {
    Vm vm = new Vm(name, host);
    vm.cpu = random.nextInt(8) == 0 ? Double.NaN : random.nextInt(1000) / 10.0;
    vm.mem = random.nextInt(8) == 0 ? Double.NaN : random.nextInt(100);
    vm.memFresh = random.nextInt(4) > 0;
    vm.on = random.nextInt(10) == 0 ? Double.NaN : random.nextInt(5) == 0 ? 0 : 1;
    vm.vcpus = 1 << random.nextInt(4);
    vm.guest =
        Arrays.asList("Microsoft Windows Server", "Ubuntu Linux", "Red Hat Linux", null)
            .get(random.nextInt(4));
    for (int i = 0; i < 3; i++) {
      vm.disks[i] = random.nextInt(3) == 0 ? random.nextInt(50) : Double.NaN;
    }
    vm.disksTogether = random.nextInt(3) == 0 ? Double.NaN : 500;
    for (int i = 0; i <= random.nextInt(2); i++) {
      Datastore datastore = DATASTORES.get(random.nextInt(14)); // nobody uses the last one
      if (datastore.vms.add(vm)) {
        vm.datastores.add(datastore);
      }
    }
    return vm;
  }

  private static World world() {
    World world = new World();
    for (Cluster cluster : CLUSTERS) {
      world.add("ClusterComputeResource", cluster.name, values("running", cluster.running));
      for (Host host : cluster.hosts) {
        world.add(
            "HostSystem",
            host.name,
            values("cpu|usage", host.cpu, "cores", host.cores, "state", host.state));
        world.relate(cluster.name, host.name);
        for (Vm vm : host.vms) {
          world.add(
              "VirtualMachine",
              vm.name,
              values(
                  "cpu|usage",
                  vm.cpu,
                  "mem|usage",
                  vm.mem,
                  "sys|on",
                  vm.on,
                  "vcpus",
                  vm.vcpus,
                  "guest|name",
                  vm.guest,
                  "disk:0|iops",
                  vm.disks[0],
                  "disk:1|iops",
                  vm.disks[1],
                  "disk:2|iops",
                  vm.disks[2],
                  "disk:Aggregate of all instances|iops",
                  vm.disksTogether));
          world.relate(host.name, vm.name);
          if (!vm.memFresh) {
            world.stale(vm.name, "mem|usage");
          }
        }
      }
    }
    for (Datastore datastore : DATASTORES) {
      world.add(
          "Datastore", datastore.name, values("used", datastore.used, "type", datastore.type));
      datastore.vms.forEach(vm -> world.relate(vm.name, datastore.name));
    }
    return world;
  }

  private static Object[] values(@Nullable Object... keysAndValues) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      Object value = keysAndValues[i + 1];
      if (value != null && !(value instanceof Double number && Double.isNaN(number))) {
        values.add(keysAndValues[i]);
        values.add(value);
      }
    }
    return values.toArray();
  }

  // Plain arithmetic ------------------------------------------------------------------------------

  private static double[] present(double[] values) {
    return Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
  }

  private static <T> double[] each(Collection<T> objects, ToDoubleFunction<T> value) {
    return present(objects.stream().mapToDouble(value).toArray());
  }

  private static <T> double[] each(
      Collection<T> objects, Predicate<T> which, ToDoubleFunction<T> value) {
    return each(objects.stream().filter(which).toList(), value);
  }

  private static double sum(double[] values) {
    return values.length == 0 ? Double.NaN : Arrays.stream(values).sum();
  }

  private static double avg(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static double min(double[] values) {
    return Arrays.stream(values).min().orElse(Double.NaN);
  }

  private static double max(double[] values) {
    return Arrays.stream(values).max().orElse(Double.NaN);
  }

  private static double number(@Nullable String text) {
    return text != null && text.matches("\\d+") ? Double.parseDouble(text) : Double.NaN;
  }

  private static double truth(boolean value) {
    return value ? 1 : 0;
  }

  private static double finite(double value) {
    return Double.isInfinite(value) ? Double.NaN : value;
  }

  // Formulas and loops ----------------------------------------------------------------------------

  /** A formula, and the same by hand for every object of a kind. */
  record Case<T>(String formula, Collection<T> objects, String kind, ToDoubleFunction<T> byHand) {
    @Override
    public String toString() {
      return formula;
    }
  }

  private static final String VMS = "${adaptertype=VMWARE, objecttype=VirtualMachine, ";
  private static final String HOSTS = "${adaptertype=VMWARE, objecttype=HostSystem, ";
  private static final String STORES = "${adaptertype=VMWARE, objecttype=Datastore, ";
  private static final String OWN = "${adaptertype=VMWARE, objecttype=ClusterComputeResource, ";

  private static Case<Cluster> ofCluster(String formula, ToDoubleFunction<Cluster> byHand) {
    return new Case<>(formula, CLUSTERS, "ClusterComputeResource", byHand);
  }

  private static Case<Host> ofHost(String formula, ToDoubleFunction<Host> byHand) {
    List<Host> hosts = CLUSTERS.stream().flatMap(cluster -> cluster.hosts.stream()).toList();
    return new Case<>(formula, hosts, "HostSystem", byHand);
  }

  private static Case<Vm> ofVm(String formula, ToDoubleFunction<Vm> byHand) {
    List<Vm> vms = CLUSTERS.stream().flatMap(cluster -> cluster.vms().stream()).toList();
    return new Case<>(formula, vms, "VirtualMachine", byHand);
  }

  private static Case<Datastore> ofDatastore(String formula, ToDoubleFunction<Datastore> byHand) {
    return new Case<>(formula, DATASTORES, "Datastore", byHand);
  }

  static Stream<Case<?>> cases() {
    return Stream.of(
        // functions of one value
        ofVm("abs(${this, metric=cpu|usage} - 50)", vm -> Math.abs(vm.cpu - 50)),
        ofVm("ceil(${this, metric=cpu|usage} / 7)", vm -> Math.ceil(vm.cpu / 7)),
        ofVm(
            "floor(${this, metric=cpu|usage} * 10 + 0.5) / 10",
            vm -> Math.floor(vm.cpu * 10 + 0.5) / 10),
        ofVm(
            "sqrt(${this, metric=mem|usage} - 20)",
            vm -> vm.mem < 20 ? Double.NaN : Math.sqrt(vm.mem - 20)),
        ofVm("log(${this, metric=mem|usage})", vm -> finite(Math.log(vm.mem))),
        ofVm("log10(${this, metric=mem|usage})", vm -> finite(Math.log10(vm.mem))),
        ofVm("exp(${this, metric=mem|usage} / 10)", vm -> Math.exp(vm.mem / 10)),
        ofVm("pow(${this, metric=mem|usage}, 0.5)", vm -> Math.pow(vm.mem, 0.5)),
        ofVm(
            "sin(${this, metric=cpu|usage}) + cos(${this, metric=cpu|usage})",
            vm -> Math.sin(vm.cpu) + Math.cos(vm.cpu)),
        ofVm("tan(${this, metric=cpu|usage})", vm -> Math.tan(vm.cpu)),
        ofVm("asin(${this, metric=cpu|usage} / 50)", vm -> Math.asin(vm.cpu / 50)),
        ofVm("acos(${this, metric=cpu|usage} / 50)", vm -> Math.acos(vm.cpu / 50)),
        ofVm("atan(${this, metric=cpu|usage})", vm -> Math.atan(vm.cpu)),
        ofVm("sinh(${this, metric=mem|usage} / 50)", vm -> Math.sinh(vm.mem / 50)),
        ofVm("cosh(${this, metric=mem|usage} / 50)", vm -> Math.cosh(vm.mem / 50)),
        ofVm("tanh(${this, metric=mem|usage} / 50)", vm -> Math.tanh(vm.mem / 50)),
        ofVm("rand() >= 0 && rand() < 1", vm -> 1),
        // the object itself
        ofVm(
            "${this, metric=cpu|usage} % 7 - ${this, metric=mem|usage} / 3 * 2",
            vm -> vm.cpu % 7 - vm.mem / 3 * 2),
        ofVm("${this, metric=cpu|usage} / ${this, metric=sys|on}", vm -> finite(vm.cpu / vm.on)),
        ofVm(
            "${this, metric=sys|on} == 1 ? ${this, metric=cpu|usage} : 0",
            vm -> Double.isNaN(vm.on) ? Double.NaN : vm.on == 1 ? vm.cpu : 0),
        ofVm("max([${this, metric=cpu|usage}, 0])", vm -> Double.isNaN(vm.cpu) ? 0 : vm.cpu),
        ofVm(
            "avg([${this, metric=cpu|usage}, ${this, metric=mem|usage}])",
            vm -> avg(present(new double[] {vm.cpu, vm.mem}))),
        ofVm(
            "count([${this, metric=cpu|usage}, ${this, metric=guest|name}])",
            vm -> truth(!Double.isNaN(vm.cpu)) + truth(vm.guest != null)),
        ofVm("${this, metric=cpu|usage, defval=-1}", vm -> Double.isNaN(vm.cpu) ? -1 : vm.cpu),
        ofVm(
            "${this, metric=sys|on} && ${this, metric=cpu|usage} > 50",
            vm ->
                vm.on == 0
                    ? 0
                    : Double.isNaN(vm.on) || Double.isNaN(vm.cpu)
                        ? Double.NaN
                        : truth(vm.cpu > 50)),
        ofVm(
            "!count(${this, metric=guest|name, where=($value contains 'Linux')})",
            vm -> truth(vm.guest == null || !vm.guest.contains("Linux"))),
        ofHost("${this, metric=cores} * 2", host -> number(host.cores) * 2),
        // instances
        ofVm("sum(${this, attribute=disk|iops})", vm -> sum(vm.allDisks())),
        ofVm(
            "count(${this, attribute=disk|iops, where=($value > 20)})",
            vm -> each(box(vm.allDisks()), d -> d > 20, d -> d).length),
        ofVm("max(${this, attribute=disk:1|iops})", vm -> vm.disks[1]),
        ofVm(
            "sum(${this, attribute=disk|iops} * ${this, metric=vcpus})",
            vm -> sum(vm.allDisks()) * vm.vcpus),
        ofHost(
            "max(" + VMS + "attribute=disk|iops, depth=1})",
            host ->
                max(
                    host.vms.stream()
                        .flatMapToDouble(vm -> Arrays.stream(vm.allDisks()))
                        .toArray())),
        // below
        ofHost("avg(" + VMS + "metric=cpu|usage})", host -> avg(each(host.vms, vm -> vm.cpu))),
        ofCluster(
            "avg(" + VMS + "metric=cpu|usage, depth=2})", c -> avg(each(c.vms(), vm -> vm.cpu))),
        ofCluster("avg(" + VMS + "metric=cpu|usage, depth=1})", c -> Double.NaN),
        ofCluster(
            "sum(" + VMS + "metric=mem|usage, depth=5}) / 1024",
            c -> sum(each(c.vms(), vm -> vm.mem)) / 1024),
        ofCluster(
            "min(" + VMS + "metric=cpu|usage, depth=2})", c -> min(each(c.vms(), vm -> vm.cpu))),
        ofCluster(
            "max(" + VMS + "metric=cpu|usage, depth=2})", c -> max(each(c.vms(), vm -> vm.cpu))),
        ofCluster(
            "count(" + VMS + "metric=guest|name, depth=2})",
            c -> c.vms().stream().filter(vm -> vm.guest != null).count()),
        ofCluster(
            "sum(" + HOSTS + "metric=cores})", c -> sum(each(c.hosts, host -> number(host.cores)))),
        ofCluster(
            "sum(" + STORES + "metric=used, depth=3})",
            c -> sum(each(c.datastores(), d -> d.used))),
        ofCluster("count(" + STORES + "metric=type, depth=2})", c -> 0),
        ofCluster(
            "max("
                + HOSTS
                + "metric=cpu|usage, depth=1}) - min("
                + HOSTS
                + "metric=cpu|usage, depth=1})",
            c -> max(each(c.hosts, h -> h.cpu)) - min(each(c.hosts, h -> h.cpu))),
        ofCluster(
            "count(${adaptertype=VMWARE, objecttype=*, metric=cpu|usage, depth=2})",
            c -> each(c.vms(), vm -> vm.cpu).length + each(c.hosts, h -> h.cpu).length),
        // above
        ofVm("max(" + HOSTS + "metric=cpu|usage, depth=-1})", vm -> vm.host.cpu),
        ofVm(
            HOSTS + "metric=cpu|usage, depth=-1} - ${this, metric=cpu|usage}",
            vm -> vm.host.cpu - vm.cpu),
        ofVm("sum(" + OWN + "metric=running, depth=-2})", vm -> vm.host.cluster.running),
        ofVm("sum(" + OWN + "metric=running, depth=-1})", vm -> Double.NaN),
        ofDatastore(
            "count(" + VMS + "metric=sys|on, depth=-1, where=\"== 1\"})",
            d -> each(d.vms, vm -> vm.on == 1, vm -> vm.on).length),
        ofDatastore(
            "avg(" + HOSTS + "metric=cpu|usage, depth=-2})",
            d -> {
              Set<Host> hosts = new HashSet<>();
              d.vms.forEach(vm -> hosts.add(vm.host));
              return avg(each(hosts, h -> h.cpu));
            }),
        // where
        ofCluster(
            "count(" + VMS + "metric=cpu|usage, depth=2, where=\"> 80\"})",
            c -> each(c.vms(), vm -> vm.cpu > 80, vm -> vm.cpu).length),
        ofCluster(
            "sum(" + VMS + "metric=mem|usage, depth=2, where=\"sys|on == 0\"})",
            c -> sum(each(c.vms(), vm -> vm.on == 0, vm -> vm.mem))),
        ofCluster(
            "count("
                + VMS
                + "metric=vcpus, depth=2, where=\"guest|name startsWith Microsoft Windows\"})",
            c ->
                each(
                        c.vms(),
                        vm -> vm.guest != null && vm.guest.startsWith("Microsoft Windows"),
                        vm -> vm.vcpus)
                    .length),
        ofCluster(
            "sum(" + VMS + "metric=vcpus, depth=2, where=\"guest|name !endsWith Linux\"})",
            c ->
                sum(
                    each(
                        c.vms(),
                        vm -> vm.guest != null && !vm.guest.endsWith("Linux"),
                        vm -> vm.vcpus))),
        ofCluster(
            "count(" + HOSTS + "metric=state, where=\"contains inMaintenance\"})",
            c -> c.hosts.stream().filter(h -> h.state.equals("inMaintenance")).count()),
        ofCluster(
            "sum("
                + VMS
                + "metric=mem|usage, depth=2, where=($value.isFresh() && ${metric=cpu|usage} > 30)})",
            c -> sum(each(c.vms(), vm -> vm.memFresh && vm.cpu > 30, vm -> vm.mem))),
        ofCluster(
            "count(" + VMS + "metric=vcpus, depth=2, where=(!(${metric=cpu|usage} > 30))})",
            c -> each(c.vms(), vm -> vm.cpu <= 30, vm -> vm.vcpus).length),
        ofCluster(
            "count("
                + VMS
                + "metric=cpu|usage, depth=2, where=($value > ${metric=mem|usage} || ${metric=guest|name} equals 'Ubuntu Linux')})",
            c ->
                each(
                        c.vms(),
                        vm ->
                            vm.cpu > vm.mem
                                || (!Double.isNaN(vm.mem) && "Ubuntu Linux".equals(vm.guest)),
                        vm -> vm.cpu)
                    .length),
        ofCluster(
            "count(" + STORES + "metric=type, depth=3, where=($value == 'vsan')})",
            c -> c.datastores().stream().filter(d -> d.type.equals("vsan")).count()),
        // sets
        ofCluster(
            "sum(" + VMS + "metric=cpu|usage, depth=2} * " + VMS + "metric=vcpus, depth=2})",
            c -> sum(each(c.vms(), vm -> vm.cpu * vm.vcpus))),
        ofCluster(
            "sum(" + VMS + "metric=cpu|usage, depth=2} / ${this, metric=running})",
            c -> sum(each(c.vms(), vm -> vm.cpu / c.running))),
        ofCluster(
            "sum(" + VMS + "metric=cpu|usage, depth=2} > 50 ? 1 : 0)",
            c -> sum(each(c.vms(), vm -> Double.isNaN(vm.cpu) ? Double.NaN : truth(vm.cpu > 50)))),
        ofCluster(
            "max([" + VMS + "metric=cpu|usage, depth=2}, ${this, metric=running}])",
            c ->
                max(
                    new double[] {
                      max(each(c.vms(), vm -> vm.cpu)), Double.isNaN(c.running) ? 0 : c.running
                    })),
        ofCluster(
            "(max(" + VMS + "metric=cpu|usage, depth=2} as load) - min(load)) / avg(load)",
            c ->
                (max(each(c.vms(), vm -> vm.cpu)) - min(each(c.vms(), vm -> vm.cpu)))
                    / avg(each(c.vms(), vm -> vm.cpu))),
        ofCluster(
            "sum(combine([" + VMS + "metric=vcpus, depth=2}, 1]))",
            c -> sum(each(c.vms(), vm -> vm.vcpus)) + 1),
        // named
        ofVm(
            "${this, metric=cpu|usage} - " + HOSTS + "objectname=h3, metric=cpu|usage}",
            vm -> vm.cpu - CLUSTERS.get(0).hosts.get(3).cpu),
        ofCluster(
            "sum(" + VMS + "objectname=vm7, attribute=disk|iops} * ${this, metric=running})",
            c -> sum(CLUSTERS.get(0).vms().get(7).allDisks()) * c.running));
  }

  /** Formulas whose objects are further away than they look. */
  private static final Set<String> LOOK_TOO_NEAR =
      Set.of(
          "avg(" + VMS + "metric=cpu|usage, depth=1})",
          "sum(" + OWN + "metric=running, depth=-1})");

  private static List<Double> box(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  <T> void aFormulaYieldsTheResultOfAPlainLoop(Case<T> one) {
    boolean anyValue = false;
    double[] values = WORLD.values(one.formula(), World.kind(one.kind()), Program.Options.DEFAULT);
    assertThat(values).hasSize(one.objects().size());
    int next = 0;
    for (T object : one.objects()) {
      double byHand = one.byHand().applyAsDouble(object);
      double computed = values[next++];
      if (Double.isNaN(byHand)) {
        assertThat(computed).as("%s", object).isNaN();
      } else {
        anyValue = true;
        double precision = Math.max(1e-9, Math.abs(byHand) * 1e-12);
        assertThat(computed).as("%s", object).isCloseTo(byHand, within(precision));
      }
    }
    assertThat(anyValue)
        .as("whether there are values")
        .isEqualTo(!LOOK_TOO_NEAR.contains(one.formula()));
  }

  @Test
  void thereAreEnoughOfThem() {
    assertThat(cases().count()).isEqualTo(67);
    String all = String.join(" ", cases().map(Case::formula).toList());
    for (io.peerlens.supermetrics.formula.Function function :
        io.peerlens.supermetrics.formula.Function.values()) {
      assertThat(all).contains(function.text() + "(");
    }
  }
}
