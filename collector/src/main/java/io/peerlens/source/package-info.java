/**
 * Sources that Peerlens reads itself, such as a vCenter: what a reader of a kind of source provides
 * and what it gets. Definitions, leases and states are in the packages below.
 */
@NullMarked
package io.peerlens.source;

import org.jspecify.annotations.NullMarked;
