/**
 * Why a virtual machine is slow: evidence of the five bands from the guest to the network goes in,
 * a verdict on each comes out. Pure Java.
 */
@NullMarked
package io.peerlens.slow;

import org.jspecify.annotations.NullMarked;
