/**
 * Addresses of flows: which object or named network ({@link io.peerlens.flow.network.Networks}) one
 * belongs to. No database and no framework here.
 */
@NullMarked
package io.peerlens.flow.network;

import org.jspecify.annotations.NullMarked;
