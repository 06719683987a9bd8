package io.peerlens.flow;

import io.peerlens.flow.decode.FlowGuards;
import io.peerlens.flow.network.Cidr;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of flows: how they are read and kept. Brokers and further Kafka settings are those of
 * {@code peerlens.ingest}.
 *
 * @param enabled whether this installation reads flows
 * @param topic topic that holds the flow records; it may be created later
 * @param group consumer group; all ingest nodes of one installation share it
 * @param consumers consumers in this process; more than one helps only with more than two cores and
 *     as many partitions
 * @param maxPollRecords Kafka records that are decoded at once, at most
 * @param flush sums are stored at the latest when they are this old; the longer, the fewer rows are
 *     stored for the same traffic
 * @param maxRows sums in memory at most, for each consumer; one takes some 80 bytes
 * @param maxEndpoints ends of flows remembered in memory at most, for each consumer; one takes some
 *     40 bytes
 * @param maxAddressObjects internal addresses that no object has become objects of the kind
 *     IpAddress, at most this many; the flows of further ones are kept as those of one unknown
 *     internal end
 * @param addressProperties properties and tags that hold IP addresses of an object, * stands for
 *     any characters; {@code name} is the object's name. Several addresses may stand in one value.
 * @param refresh how often the service checks for changes of addresses and networks
 * @param internalRanges addresses that are internal unless a named network says otherwise
 * @param keepMinutes how long sums by minute are kept; longer than {@code maxAge} and {@code
 *     maxDuration} together by at least 3 hours, so that no flow arrives for a minute that is gone
 * @param keepUnrolled how long they are kept while they wait to be rolled up; rows that are removed
 *     then are missing in the levels above, and the service logs an error
 * @param maxFuture a flow that ends further ahead of the clock goes to the dead letters
 * @param maxAge a flow that ended longer ago goes to the dead letters
 * @param maxDuration a flow that lasted longer goes to the dead letters
 * @param maxRecordBytes a Kafka record that is larger goes to the dead letters
 */
@ConfigurationProperties("peerlens.flows")
public record FlowProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("peerlens.flows") String topic,
    @DefaultValue("peerlens-flows") String group,
    @DefaultValue("1") int consumers,
    @DefaultValue("5000") int maxPollRecords,
    @DefaultValue("5s") Duration flush,
    @DefaultValue("1000000") int maxRows,
    @DefaultValue("1000000") int maxEndpoints,
    @DefaultValue("50000") int maxAddressObjects,
    @DefaultValue({
          "name",
          "summary|guest|ipAddress",
          "net|ip_address",
          "net:*|ip_address",
          "net:*|ipv6_address",
          "net|mgmt_address",
          "ip",
          "ipAddress",
          "ip_address"
        })
        List<String> addressProperties,
    @DefaultValue("10s") Duration refresh,
    @DefaultValue({
          "10.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "100.64.0.0/10",
          "169.254.0.0/16",
          "fc00::/7",
          "fe80::/10"
        })
        List<String> internalRanges,
    @DefaultValue("3d") Duration keepMinutes,
    @DefaultValue("7d") Duration keepUnrolled,
    @DefaultValue("10m") Duration maxFuture,
    @DefaultValue("36h") Duration maxAge,
    @DefaultValue("1d") Duration maxDuration,
    @DefaultValue("4194304") int maxRecordBytes) {

  private static final int LEAST_ROWS = 10_000;

  /** By then a minute is rolled up, and whole hours are removed at once. */
  private static final Duration ROLLED_UP = Duration.ofHours(3);

  public FlowProperties {
    if (topic.isBlank() || group.isBlank()) {
      throw new IllegalArgumentException("peerlens.flows: topic and group must not be empty");
    }
    if (consumers < 1 || maxPollRecords < 1 || maxEndpoints < 1 || maxAddressObjects < 0) {
      throw new IllegalArgumentException(
          "peerlens.flows: consumers, max-poll-records and max-endpoints must be at least 1,"
              + " max-address-objects at least 0");
    }
    if (maxRows < LEAST_ROWS) {
      throw new IllegalArgumentException(
          "peerlens.flows.max-rows is %d: give at least %d".formatted(maxRows, LEAST_ROWS));
    }
    if (!flush.isPositive() || !refresh.isPositive()) {
      throw new IllegalArgumentException(
          "peerlens.flows: flush (%s) and refresh (%s) must be longer than 0"
              .formatted(flush, refresh));
    }
    if (maxFuture.isNegative()
        || !maxAge.isPositive()
        || !maxDuration.isPositive()
        || maxRecordBytes < 1) {
      throw new IllegalArgumentException(
          "peerlens.flows: max-age, max-duration and max-record-bytes must be greater than 0,"
              + " max-future not negative");
    }
    Duration least = maxAge.plus(maxDuration).plus(ROLLED_UP);
    if (keepMinutes.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "peerlens.flows.keep-minutes is %s: give at least max-age (%s) + max-duration (%s) + 3h, or lower those"
              .formatted(keepMinutes, maxAge, maxDuration));
    }
    if (keepUnrolled.compareTo(keepMinutes) < 0) {
      throw new IllegalArgumentException(
          "peerlens.flows.keep-unrolled (%s) must not be shorter than keep-minutes (%s)"
              .formatted(keepUnrolled, keepMinutes));
    }
    addressProperties = List.copyOf(addressProperties);
    internalRanges = List.copyOf(internalRanges);
    ranges(internalRanges);
  }

  /** The limits for the decoder. */
  FlowGuards guards() {
    return new FlowGuards(maxFuture, maxAge, maxDuration, maxRecordBytes);
  }

  /** {@link #internalRanges} as ranges. */
  List<Cidr> internalCidrs() {
    return ranges(internalRanges);
  }

  private static List<Cidr> ranges(List<String> texts) {
    try {
      return texts.stream().map(Cidr::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("peerlens.flows.internal-ranges: " + e.getMessage(), e);
    }
  }
}
