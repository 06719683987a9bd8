/**
 * Messages as SNMP notifications: v2c and v3, traps and informs, and who we are to their receivers.
 */
@NullMarked
package io.peerlens.notify.snmp;

import org.jspecify.annotations.NullMarked;
