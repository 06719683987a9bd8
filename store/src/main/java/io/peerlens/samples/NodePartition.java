package io.peerlens.samples;

/**
 * Report of a node on a partition that it reads.
 *
 * @param lag records that wait
 * @param recordsPerSecond stored, mean of the last minute
 */
public record NodePartition(String topic, int partition, long lag, double recordsPerSecond) {}
