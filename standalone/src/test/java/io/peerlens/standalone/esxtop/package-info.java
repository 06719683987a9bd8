@NullMarked
package io.peerlens.standalone.esxtop;

import org.jspecify.annotations.NullMarked;
