/** Collecting from a vCenter: one thread each for configuration, performance and events. */
@NullMarked
package io.peerlens.source.vcenter;

import org.jspecify.annotations.NullMarked;
