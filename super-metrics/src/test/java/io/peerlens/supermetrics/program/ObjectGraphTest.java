package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.supermetrics.formula.ObjectKind;
import org.junit.jupiter.api.Test;

class ObjectGraphTest {

  private static final ObjectKind HOST = new ObjectKind("VMWARE", "HostSystem");
  private static final ObjectKind POOL = new ObjectKind("VMWARE", "ResourcePool");
  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");

  /** The numbers of objects follow their kinds, their ids do not. */
  private final ObjectGraph graph =
      ObjectGraph.builder()
          .object(30, VM, "vm-1")
          .object(7, VM, "vm-2")
          .object(20, HOST, "esx-1")
          .object(5, POOL, "pool")
          .object(90, new ObjectKind("VMWARE", "ClusterComputeResource"), "prod-a")
          .relation(90, 20)
          .relation(20, 30)
          .relation(20, 7)
          .relation(5, 30)
          .build();

  @Test
  void neighboursAreThoseRightAboveAndRightBelowOfAllKinds() {
    assertThat(graph.parents(30, 10)).containsExactlyInAnyOrder(20, 5);
    assertThat(graph.parents(20, 10)).containsExactly(90);
    assertThat(graph.children(20, 10)).containsExactlyInAnyOrder(30, 7);
    assertThat(graph.children(90, 10)).containsExactly(20);
    assertThat(graph.parents(90, 10)).isEmpty();
    assertThat(graph.children(30, 10)).isEmpty();
  }

  @Test
  void noMoreAreGivenThanWanted() {
    assertThat(graph.children(20, 1)).hasSize(1);
    assertThat(graph.children(20, 0)).isEmpty();
  }

  @Test
  void anObjectThatDoesNotExistHasNone() {
    assertThat(graph.parents(1, 10)).isEmpty();
    assertThat(graph.children(1, 10)).isEmpty();
  }
}
