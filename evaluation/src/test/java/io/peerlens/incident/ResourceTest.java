package io.peerlens.incident;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceTest {

  @ParameterizedTest
  @CsvSource({
    "cpu|usage_average, gt, CPU",
    "cpu:0|readiness_average, gt, CPU_WAIT",
    "cpu|ready_summation, gt, CPU_WAIT",
    "cpu|costop_summation, gt, CPU_WAIT",
    "cpu|capacity_contentionPct, gt, CPU_WAIT",
    "mem|vmmemctl_average, gt, MEMORY",
    "mem|swapped_average, gt-usual, MEMORY",
    "disk|maxTotalLatency_latest, gt, STORAGE",
    "virtualDisk:scsi0:0|totalReadLatency_average, gt, STORAGE",
    "datastore:naa.60|totalWriteLatency_average, gt, STORAGE",
    "clusterdomclient|latency_avg_read, gt, STORAGE",
    "diskgroup|log_congestion, gt, STORAGE",
    "disk|used_latest, gt, CAPACITY",
    "disk|provisioned_latest, gt, CAPACITY",
    "OnlineCapacityAnalytics|diskspace|timeRemaining, lt, CAPACITY",
    "net|droppedRx_summation, gt, NETWORK",
    "sys|uptime_latest, no-data, SILENCE",
    "sys|uptime_latest, lt, OTHER",
    "System Attributes|total_alarms, gt, OTHER",
    "Super Metric|sm_35043545-177c-4f06-bbb1-41bb000ed6ee, gt, OTHER",
    "'', gt, OTHER"
  })
  void aKeySaysWhatItIsAbout(String key, String operator, Resource resource) {
    assertThat(Resource.of(key, operator)).isEqualTo(resource);
  }
}
