@NullMarked
package io.peerlens.notify.snmp;

import org.jspecify.annotations.NullMarked;
