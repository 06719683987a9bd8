package io.peerlens.slow;

/**
 * Another machine that shares something with the slow one.
 *
 * @param object its id
 * @param sharesHost whether it runs on the same host
 * @param sharesStore whether its disks are on the same datastore
 * @param iops operations a second by step; all NaN = not known
 * @param mhz CPU by step; all NaN = not known
 */
public record Neighbour(
    int object,
    String name,
    boolean sharesHost,
    boolean sharesStore,
    double[] iops,
    double[] mhz) {}
