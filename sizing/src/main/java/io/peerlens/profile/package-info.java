/**
 * Load profiles from history: what storage had to do, hour by hour, for a machine and for a group
 * of machines.
 *
 * <p>A {@link io.peerlens.profile.LoadProfiler} takes machine after machine, each with its whole
 * period, and gives a {@link io.peerlens.profile.LoadProfile} of each and of each group. A {@link
 * io.peerlens.profile.Workload} is what a load generator should do to be like it. What history
 * cannot tell, such as how random the accesses are, is an {@link io.peerlens.profile.AccessPattern}
 * that is unknown until somebody imports it.
 *
 * <p>Everywhere NaN is "not known". Throughput is in bytes a second, latency in milliseconds, sizes
 * of blocks in bytes, shares are 0 to 1. Everything is a function of what goes in: no clock, no
 * threads, and randomness only from a seed that is given.
 */
@NullMarked
package io.peerlens.profile;

import org.jspecify.annotations.NullMarked;
