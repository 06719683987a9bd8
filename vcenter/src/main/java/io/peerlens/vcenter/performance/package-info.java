/**
 * The performance of a vCenter as lines of ours: which counters are read, and how they are told.
 */
@NullMarked
package io.peerlens.vcenter.performance;

import org.jspecify.annotations.NullMarked;
