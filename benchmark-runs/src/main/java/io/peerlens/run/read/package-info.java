/**
 * Reading what benchmarks write: fio, vdbench, HCIBench, DiskSpd, IOMeter, IOBlazer, Login
 * Enterprise and, by a mapping, any CSV.
 */
@NullMarked
package io.peerlens.run.read;

import org.jspecify.annotations.NullMarked;
